// The storage of this origin or of this tab, and memory for what it does not take: each key by itself, so that one refused value harms no other.
import type { KeyedStorage } from "../engine/browser.ts";

interface Unkept {
  value: string;
  /** What the storage held when it refused the value; anything else there by now is another tab's and newer. */
  instead: string | null;
}

/** `log` gets what was refused, once for each key. `area` may throw: where site data is blocked, naming it does. */
export function createKeyedStorage(
  log: (message: string, detail?: unknown) => void,
  area: () => Storage,
): KeyedStorage {
  const unkept = new Map<string, Unkept>();
  const logged = new Set<string>();

  function refused(key: string, error: unknown): void {
    if (!logged.has(key)) log(`the storage refused ${key}: this page forgets it on reload`, error);
    logged.add(key);
  }

  /** Undefined where the storage can't be read at all: private windows, blocked site data. */
  function stored(key: string): string | null | undefined {
    try {
      return area().getItem(key);
    } catch (error) {
      refused(key, error);
      return undefined;
    }
  }

  return {
    get(key) {
      const value = stored(key);
      const mine = unkept.get(key);
      if (mine === undefined) return value ?? null;
      if (value === undefined || value === mine.instead) return mine.value;
      unkept.delete(key);
      return value;
    },
    set(key, value) {
      try {
        area().setItem(key, value);
        unkept.delete(key);
        return true;
      } catch (error) {
        refused(key, error);
        unkept.set(key, { value, instead: stored(key) ?? null });
        return false;
      }
    },
    remove(key) {
      unkept.delete(key);
      try {
        // Also where nothing more could be stored: a token that was left must not be back after a reload.
        area().removeItem(key);
      } catch (error) {
        refused(key, error);
      }
    },
  };
}
