// The stack of passing notices. Each goes by itself; one with a dedupeKey is not added twice.
import { LIMITS } from "@plumb/protocol/limits";
import { createStore } from "zustand/vanilla";
import type { Browser } from "../browser.ts";
import type { Toast, ToastInput } from "./toast.ts";

export function createToasts(browser: Browser) {
  const store = createStore<{ toasts: Toast[] }>(() => ({ toasts: [] }));
  let lastId = 0;

  function dismiss(id: number): void {
    store.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
  }

  /** Adds a notice and takes it away after its time. */
  function show(input: ToastInput): void {
    const { toasts } = store.getState();
    const key = input.dedupeKey;
    if (key !== undefined && toasts.some((toast) => toast.dedupeKey === key)) return;
    const toast: Toast = { duration: LIMITS.toastMs, ...input, id: ++lastId };
    store.setState({ toasts: [...toasts, toast] });
    browser.after(toast.duration, () => dismiss(toast.id));
  }

  return { store, show, dismiss };
}
