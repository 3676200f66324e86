// What a link is named by: 36^18 ids, some 93 bits, so that no guess finds one (wire-contract.md §1.8).
import { randomInt } from "node:crypto";
import { LIMITS } from "@plumb/protocol/limits";

const CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
const SHARE_ID = new RegExp(`^[a-z0-9]{${LIMITS.shareIdChars}}$`, "u");

export function newShareId(): string {
  return Array.from({ length: LIMITS.shareIdChars }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join("");
}

/** False for texts no share can be named by: they cost no look into the database, some of which it would refuse. */
export function isShareId(id: string): boolean {
  return SHARE_ID.test(id);
}
