// The engine's part for sharing loads when somebody shares or reads a share: most chats do without it.
import type { DraftsOnLeaving } from "./accounts/account-lifecycle.ts";
import { shareOfKey } from "./sessions/client-session.ts";
import { KEPT_FORKS } from "./sessions/kept-under.ts";
import type { SharingDeps, SharingWork } from "./sharing/create-sharing.ts";
import { sayMissing } from "./say-missing.ts";

/**
 * For so long a failure is told to whoever asks (milliseconds). React asks again at once for what it waited for: a new try for
 * that would fail, be asked for again, and never end.
 */
const FAILED_MS = 1000;

/** `engine.sharing`: public links to chosen messages. */
export interface Sharing {
  /** Brings the part; the same promise each time, but for a new one some time after a failure. Rejects where it cannot be had. */
  load(): Promise<SharingWork>;
  /** The part; null while it is not here. */
  here(): SharingWork | null;
  /** Begins to choose turns of a session; one of a message that is given is chosen. Where the code cannot be had, that is said. */
  begin(sessionId: string, messageId?: number): void;
}

export function createSharingPart(deps: SharingDeps) {
  let loading: Promise<SharingWork> | null = null;
  let work: SharingWork | null = null;

  async function make(): Promise<SharingWork> {
    try {
      const { createSharing } = await import("./sharing/create-sharing.ts");
      return (work = createSharing(deps));
    } catch (error) {
      deps.browser.after(FAILED_MS, () => (loading = null));
      throw error;
    }
  }
  const face: Sharing = {
    load: () => (loading ??= make()),
    here: () => work,
    begin(sessionId, messageId) {
      face.load().then(
        ({ selection }) => selection.begin(sessionId, messageId ?? null),
        (error: unknown) => sayMissing(deps, "sharing", error),
      );
    },
  };
  return {
    face,
    /** Another chat comes on show under this key: nothing is chosen in the one before any more. */
    leaveFor(key: string): void {
      const { selecting } = deps.overlays.store.getState();
      if (selecting !== null && selecting !== key) work?.selection.end();
    },
    /** Sends what was typed under a share, in a copy of it; null where the key is none of a share. */
    send(key: string, prompt: string): Promise<boolean> | null {
      const shareId = shareOfKey(key);
      if (shareId === null) return null;
      // Who reads a share has the part.
      return work?.shared.send(shareId, prompt) ?? Promise.resolve(false);
    },
    /** Asks for a share once more; false where the key is none of a share. */
    retry(key: string): boolean {
      const shareId = shareOfKey(key);
      if (shareId !== null) work?.shared.open(shareId);
      return shareId !== null;
    },
    clear({ drafts }: { drafts: DraftsOnLeaving }): void {
      work?.clear();
      // They are for what stands typed under a share.
      if (drafts === "remove") deps.browser.storage.remove(KEPT_FORKS);
    },
  };
}
