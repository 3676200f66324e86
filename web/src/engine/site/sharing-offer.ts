// Whether the page offers to share (requirements 1§5).
import type { ClientSettings } from "@plumb/protocol/wire/site";

/** False until the installation's settings are known, where they hide it, and for a user who may not write. */
export function isSharingOffered(settings: ClientSettings | null, mutedUntil: number | null): boolean {
  return (
    settings?.flags["enableShare"] === true &&
    settings.ab_tests["share_by_link"] === true &&
    mutedUntil === null
  );
}
