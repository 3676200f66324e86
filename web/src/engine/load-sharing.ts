// The engine's part for sharing loads when somebody shares or reads a share: most chats do without it.
import type { SharingDeps, SharingWork } from "./sharing/create-sharing.ts";

/** `engine.sharing`: public links to chosen messages. */
export interface Sharing {
  /** Brings the part; the same promise each time, but for a new one after a failure. Rejects where it cannot be had. */
  load(): Promise<SharingWork>;
}

export function createSharingPart(deps: SharingDeps) {
  let loading: Promise<SharingWork> | null = null;
  let work: SharingWork | null = null;

  async function make(): Promise<SharingWork> {
    try {
      const { createSharing } = await import("./sharing/create-sharing.ts");
      return (work = createSharing(deps));
    } catch (error) {
      loading = null;
      throw error;
    }
  }
  const face: Sharing = { load: () => (loading ??= make()) };
  return { face, clear: (): void => work?.clear() };
}
