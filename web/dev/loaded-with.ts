// In which file a module that several parts share belongs, by what is loaded first.
import { resolve } from "node:path";
import type { Rolldown } from "vite";

type CodeSplittingGroup = Rolldown.CodeSplittingGroup;

type GetModule = (id: string) => { importedIds: readonly string[] } | null;

const inSource = (path: string): string => resolve(import.meta.dirname, "..", "src", path);

/** What the pages before sign-in load by themselves, with the file that begins every page. */
const beforeSignIn = [
  "main.tsx",
  "app/page-notices.tsx",
  "screens/form-screens.tsx",
  "engine/accounts/sign-in.ts",
];

/**
 * What any chat loads besides, be it new. One file is smaller than its parts, and asked for once. With what its turns share
 * with later parts, or that would be a file of its own.
 */
const everyChat = [
  "app/every-chat.ts",
  "markdown/code-frame.tsx",
  "markdown/diagram-place.tsx",
  "markdown/safe-link.ts",
  "ui/site-mark.tsx",
  "hooks/use-standing.ts",
  "hooks/focus-after-asking.ts",
  "features/conversation/answer-text.ts",
];

/** What the first picture of a chat loads in all. */
const ofChats = [...everyChat, "features/conversation/conversation.tsx", "features/sidebar/sidebar.tsx"];

/** All that these modules import, and what that imports. */
function loadedWith(paths: readonly string[], getModule: GetModule): Set<string> {
  const reached = new Set(paths.map(inSource));
  for (const id of reached) {
    const module = getModule(id);
    if (module === null) throw new Error(`the build has no ${id}`);
    module.importedIds.forEach((imported) => reached.add(imported));
  }
  return reached;
}

/** Files for what several parts share, each after the one that takes from it; what every chat begins with is one file. */
export function sharedFiles(test: (id: string) => boolean): CodeSplittingGroup[] {
  const named = (
    name: string,
    paths: readonly string[],
    priority: number,
    minShareCount = 2,
  ): CodeSplittingGroup => {
    let ids: Set<string> | null = null;
    return {
      name: (id, context) => {
        ids ??= loadedWith(paths, (wanted) => context.getModuleInfo(wanted));
        return ids.has(id) ? name : null;
      },
      minShareCount,
      priority,
      test,
    };
  };
  return [
    named("shared", beforeSignIn, 5),
    named("chat", everyChat, 3, 1),
    named("chat", ofChats, 2),
    { name: "later", minShareCount: 2, priority: 1, test },
  ];
}
