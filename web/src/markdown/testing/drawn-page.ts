// A page without a browser on which React draws; nothing is laid out on it.
import { parseHTML } from "linkedom";
import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { vi } from "vitest";

/** Draws on a new page, and again. What a page is to a program is there until the test's globals go. */
export async function openDrawnPage() {
  const { window, document } = parseHTML("<html><body><main></main></body></html>");
  const never = { observe: () => undefined, unobserve: () => undefined, disconnect: () => undefined };
  const globals = {
    window,
    document,
    Element: window.Element,
    HTMLElement: window.HTMLElement,
    IS_REACT_ACT_ENVIRONMENT: true,
    matchMedia: () => Object.assign(new EventTarget(), { matches: false }),
    MutationObserver: class {
      constructor() {
        return never;
      }
    },
    ResizeObserver: class {
      constructor() {
        return never;
      }
    },
    IntersectionObserver: class {
      constructor() {
        return never;
      }
    },
  };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  const root = createRoot(document.querySelector("main") as unknown as Element);
  return {
    document: document as unknown as Document,
    Event: window.Event as typeof Event,
    /** What all elements can do. */
    elements: window.HTMLElement.prototype as HTMLElement,
    draw: (node: ReactNode) => act(async () => root.render(node)),
    /** A dialog gives the focus back in the turn after it has gone. */
    close: () =>
      act(async () => {
        root.unmount();
        await new Promise((resolve) => setTimeout(resolve));
      }),
  };
}

type DrawnPage = Awaited<ReturnType<typeof openDrawnPage>>;

/** What dialogs need of a page. They find out what they can do as their code loads: it is to be imported after this. */
export function letDialogsOpen({ document, Event }: DrawnPage): void {
  const { CustomEvent } = document.defaultView as Window & typeof globalThis;
  const globals = {
    Event,
    CustomEvent,
    history: { state: null, pushState: () => {} },
    getComputedStyle: () => ({}),
    requestAnimationFrame: (work: () => void) => setTimeout(work),
    cancelAnimationFrame: clearTimeout,
  };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
}
