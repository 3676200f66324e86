// The user of the Android app around this page, told by an object that the app injects (wire-contract.md §6.1).
import { isRecord, parseJson } from "@plumb/protocol/wire/json";

/** What the app knows of its user; "" where it says nothing. */
export interface NativeUser {
  id: string;
  name: string;
  email: string;
  mobile: string;
}

/**
 * What the object under `name` in `host` (the window) says with `getUserInfo()`, JSON as a text. Null without such an
 * object, and for what is no such answer.
 */
export function readNativeUser(host: object, name: string | null): NativeUser | null {
  const bridge: unknown = name === null ? null : (host as Record<string, unknown>)[name];
  if (typeof bridge !== "object" || bridge === null || !("getUserInfo" in bridge)) return null;
  try {
    // A method that was injected knows its object only when it is called on it.
    const answer: unknown = (bridge as { getUserInfo(): unknown }).getUserInfo();
    const parsed = parseJson(typeof answer === "string" ? answer : "");
    if (!parsed.ok || !isRecord(parsed.value)) return null;
    const { value } = parsed;
    const text = (key: string): string => (typeof value[key] === "string" ? value[key] : "");
    return { id: text("id"), name: text("name"), email: text("email"), mobile: text("mobile") };
  } catch {
    return null;
  }
}
