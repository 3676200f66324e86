import { act, useEffect, useRef } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Engine } from "../../engine/engine.ts";
import { engineAtRest } from "../../engine/testing/engine-at-rest.ts";
import { EngineProvider } from "../../hooks/use-engine.tsx";
import { openDrawnPage } from "../../markdown/testing/drawn-page.ts";
import { useGoToSought, useSought } from "./use-sought.ts";

let page: Awaited<ReturnType<typeof openDrawnPage>>;
let engine: Engine;
let frames: (() => void)[];
/** What has taken the focus, in order. */
let focused: string[];

beforeEach(async () => {
  engine = await engineAtRest();
  page = await openDrawnPage();
  frames = [];
  focused = [];
  vi.stubGlobal("requestAnimationFrame", (work: () => void) => frames.push(work));
  vi.stubGlobal("cancelAnimationFrame", () => undefined);
  vi.spyOn(page.elements, "focus").mockImplementation(function (this: HTMLElement) {
    focused.push(this.localName);
  });
  vi.spyOn(page.elements, "getBoundingClientRect").mockReturnValue({ top: 0 } as DOMRect);
});

afterEach(async () => {
  await page.close();
  vi.unstubAllGlobals();
});

function seek(): void {
  engine.sessions.sought.setState({ sought: { sessionId: "s1", messageId: 2 } });
}

const endFrame = () => act(async () => frames.splice(0).forEach((work) => work()));

const branch = [{ key: "m", id: 2 }];

function Conversation({ isHidden = false }) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  useGoToSought(useSought("s1"), branch, {
    scroller,
    content,
    hold: () => undefined,
    nearBottom: true,
    scrolled: false,
    toBottom: () => undefined,
  });
  return (
    <div ref={scroller}>
      <div ref={content} style={{ visibility: isHidden ? "hidden" : undefined }}>
        <div data-message-id={2}>
          <article />
        </div>
      </div>
    </div>
  );
}

/** It takes the focus as a chat opens. */
function Composer() {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return <textarea ref={field} />;
}

const draw = (isHidden = false) =>
  page.draw(
    <EngineProvider engine={engine}>
      <Conversation isHidden={isHidden} />
      <Composer />
    </EngineProvider>,
  );

test("a message that a search led to has the focus, after the composer of its chat", async () => {
  seek();
  await draw();
  await endFrame();
  expect(focused).toEqual(["textarea", "article"]);
  expect(engine.sessions.sought.getState().sought).toBeNull();
});

test("where it is hidden while it is drawn, it has the focus when it is seen", async () => {
  seek();
  await draw(true);
  await endFrame();
  expect(focused).toEqual(["textarea"]);
  await draw();
  await endFrame();
  expect(focused).toEqual(["textarea", "article"]);
});

test("it leaves the focus to who has begun to write meanwhile", async () => {
  seek();
  await draw(true);
  engine.sessions.setDraft("s1", "And");
  await draw();
  await endFrame();
  expect(focused).toEqual(["textarea"]);
  expect(page.document.querySelector("[data-sought]")).not.toBeNull();
});
