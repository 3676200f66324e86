// What users do to chats and replies beside talking loads with the first touch of the page: naming, pinning, deleting, rating.
import type { Feedback } from "./feedback/feedback-face.ts";
import { sayMissing } from "./say-missing.ts";
import type { Changes, ChangesDeps } from "./sessions/create-changes.ts";
import type { Sessions } from "./sessions/sessions-face.ts";

type ChangesPart = Pick<Sessions, "rename" | "remove" | "setPinned"> &
  Feedback & {
    /** Brings the code ahead of need. */
    prepare(): void;
  };

export function createChangesPart(deps: ChangesDeps): ChangesPart {
  let work: Changes | null = null;

  async function whenHere(): Promise<Changes> {
    const { createChanges } = await import("./sessions/create-changes.ts");
    return (work ??= createChanges(deps));
  }

  /** What is done with the part, at once where it is here; `otherwise` where its code cannot be had, which is said. */
  async function withWork<T>(run: (here: Changes) => Promise<T>, otherwise: T): Promise<T> {
    if (work !== null) return run(work);
    return whenHere().then(run, (error: unknown) => {
      sayMissing(deps, "changes", error);
      return otherwise;
    });
  }

  return {
    prepare: () =>
      void whenHere().catch((error: unknown) =>
        deps.browser.log("the part for changes was not loaded", error),
      ),
    rename: (sessionId, title) => withWork((here) => here.rename(sessionId, title), false),
    remove: (sessionId) => withWork((here) => here.remove(sessionId), false),
    setPinned: (sessionId, pinned) => void withWork((here) => here.setPinned(sessionId, pinned), undefined),
    give: (sessionId, messageId, given) => withWork((here) => here.give(sessionId, messageId, given), false),
  };
}
