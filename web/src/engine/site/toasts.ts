// The stack of passing notices. Each goes by itself; one with a dedupeKey is not added twice.
import { LIMITS } from "@plumb/protocol/limits";
import { createStore } from "zustand/vanilla";
import type { Browser, Cancel } from "../browser.ts";
import type { Toast, ToastInput } from "./toast.ts";

export function createToasts(browser: Browser) {
  const store = createStore<{ toasts: Toast[] }>(() => ({ toasts: [] }));
  let lastId = 0;

  function dismiss(id: number): void {
    store.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
  }

  /** Adds a notice and takes it away after its time. Returns what takes it away before that, or the one that shows already. */
  function show(input: ToastInput): Cancel {
    const { toasts } = store.getState();
    const key = input.dedupeKey;
    const same = key === undefined ? undefined : toasts.find((toast) => toast.dedupeKey === key);
    const id = same?.id ?? ++lastId;
    const end = (): void => dismiss(id);
    if (same === undefined) {
      const toast: Toast = { duration: LIMITS.toastMs, ...input, id };
      store.setState({ toasts: [...toasts, toast] });
      browser.after(toast.duration, end);
    }
    return end;
  }

  return { store, show, dismiss };
}
