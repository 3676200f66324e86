// What a share can be.
export const ShareState = {
  /** Its messages are being copied: nobody sees it. */
  Making: "MAKING",
  Open: "OPEN",
  /** By the operator. */
  Disabled: "DISABLED",
  /** By its owner. */
  Deleted: "DELETED",
  SessionDeleted: "SESSION_DELETED",
} as const;

/** Those that count and are listed; the others are marks of what was. */
export const LIVE = [ShareState.Making, ShareState.Open, ShareState.Disabled];
