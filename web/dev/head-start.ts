// Writes into the page which files its parts consist of, so that its first script can load those that the address needs.
import type { Plugin, Rolldown } from "vite";
import { version } from "../package.json" with { type: "json" };

type Bundle = Rolldown.OutputBundle;

/** What a part is made of, besides the files that the page itself names. */
const parts: Record<string, readonly string[]> = {
  chat: ["app/every-chat.ts"],
  conversation: ["features/conversation/conversation.tsx"],
  reader: [
    "app/share-page.tsx",
    "screens/shared-chat.tsx",
    "app/every-chat.ts",
    "engine/sharing/create-sharing.ts",
  ],
  guest: ["app/guest-frame.tsx"],
  forms: ["screens/form-screens.tsx", "engine/accounts/sign-in.ts"],
  "en-US": ["i18n/en_US.json"],
  "zh-CN": ["i18n/zh_CN.json"],
  "en-US reader": ["i18n/sharing.en_US.json"],
  "zh-CN reader": ["i18n/sharing.zh_CN.json"],
  "en-US forms": ["i18n/forms.en_US.json"],
  "zh-CN forms": ["i18n/forms.zh_CN.json"],
};

const script = '<script src="/static/first-paint.js">';
const assets = "static/assets/";

/** The files of the chunk that holds this module, and of all that it imports. */
export function filesOf(bundle: Bundle, module: string): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const first = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/web/src/${module}`));
  if (first === undefined) throw new Error(`the build has no part ${module}`);
  const reached = new Set([first.fileName]);
  for (const name of reached) {
    const chunk = bundle[name];
    if (chunk?.type === "chunk") chunk.imports.forEach((imported) => reached.add(imported));
  }
  const styles = [...reached].flatMap((name) => {
    const chunk = bundle[name];
    return chunk?.type === "chunk" ? [...(chunk.viteMetadata?.importedCss ?? [])] : [];
  });
  return [...styles, ...reached];
}

export function headStart(): Plugin {
  return {
    name: "plumb-head-start",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        if (bundle === undefined || !html.includes(script)) throw new Error("the page has no first script");
        const named = Object.entries(parts).map(([part, modules]) => {
          const files = new Set(modules.flatMap((module) => filesOf(bundle, module)));
          const others = [...files].filter((file) => !html.includes(file));
          return [part, others.map((file) => file.replace(assets, "")).join(" ")];
        });
        const given = `data-version="${version}" data-parts='${JSON.stringify(Object.fromEntries(named))}'`;
        return html.replace(script, script.replace("<script ", `<script ${given} `));
      },
    },
  };
}
