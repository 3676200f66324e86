// The stack of passing notices. Each goes by itself; one with a dedupeKey is not added twice.
import { createStore } from "zustand/vanilla";
import type { Browser } from "../browser.ts";
import type { Toast } from "../engine.ts";

/** How long a notice stays unless it says otherwise (milliseconds). */
const SHOWN_FOR_MS = 5000;

export type ToastInput = Pick<Toast, "type" | "text"> & Partial<Pick<Toast, "duration" | "dedupeKey">>;

export type Toasts = ReturnType<typeof createToasts>;

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
    const toast: Toast = { duration: SHOWN_FOR_MS, ...input, id: ++lastId };
    store.setState({ toasts: [...toasts, toast] });
    browser.after(toast.duration, () => dismiss(toast.id));
  }

  return { store, show, dismiss };
}
