import { expect, test } from "vitest";
import { keyAction, type WritingKey } from "./writing-keys.ts";

const plain: WritingKey = {
  key: "Enter",
  keyCode: 13,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  sinceCompositionMs: Infinity,
  text: "hello",
  touch: false,
};

test.each<[string, Partial<WritingKey>, ReturnType<typeof keyAction>]>([
  ["Enter sends [ENG-032] [ENG-066]", {}, "send"],
  ["Cmd+Enter sends", { metaKey: true }, "send"],
  ["Shift+Enter writes a line [ENG-032] [ENG-066]", { shiftKey: true }, "native"],
  ["Ctrl+Enter writes a line [ENG-032] [ENG-066]", { ctrlKey: true }, "newline"],
  ["Ctrl+Shift+Enter writes a line", { ctrlKey: true, shiftKey: true }, "native"],
  ["Alt+Enter writes a line", { altKey: true }, "newline"],
  ["Enter on a touch device does not send [ENG-033] [ENG-066]", { touch: true }, "native"],
  ["Ctrl+Enter on a touch device writes a line", { touch: true, ctrlKey: true }, "newline"],
  ["Enter during composition does not send [ENG-067]", { isComposing: true }, "native"],
  ["Enter taken by the input method does not send", { keyCode: 229 }, "native"],
  ["Enter 9 ms after a composition does not send [ENG-067]", { sinceCompositionMs: 9 }, "native"],
  ["Enter 10 ms after a composition sends [ENG-067]", { sinceCompositionMs: 10 }, "send"],
  ["Enter in an empty field asks to send", { text: "" }, "send"],
  [
    "ArrowUp in an empty field brings the last prompt [ENG-034]",
    { key: "ArrowUp", text: "" },
    "previous-prompt",
  ],
  ["ArrowUp in a text moves the caret", { key: "ArrowUp" }, "native"],
  ["ArrowUp over a blank moves the caret", { key: "ArrowUp", text: " " }, "native"],
  ["Shift+ArrowUp in an empty field selects", { key: "ArrowUp", text: "", shiftKey: true }, "native"],
  ["ArrowUp during composition picks a candidate", { key: "ArrowUp", text: "", isComposing: true }, "native"],
  ["Escape gives up", { key: "Escape" }, "cancel"],
  ["Escape during composition drops the candidates", { key: "Escape", isComposing: true }, "native"],
  ["a letter is written", { key: "a" }, "native"],
])("%s", (_title, change, action) => {
  expect(keyAction({ ...plain, ...change })).toBe(action);
});
