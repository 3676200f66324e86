import { useRef, type CompositionEvent, type KeyboardEvent } from "react";
import { keyAction } from "./writing-keys.ts";

interface Writing {
  /** What the field holds. */
  text: string;
  /** A device whose Enter key writes a new line. */
  touch: boolean;
  onSend: () => void;
  /** Arrow-up in an empty field. True: it meant something. */
  onPrevious?: () => boolean;
  /** Escape; without it the key is left to the page. */
  onCancel?: () => void;
}

/** The handlers of a field in which a text to be sent is written. */
export function useWritingKeys({ text, touch, onSend, onPrevious, onCancel }: Writing) {
  const compositionEnd = useRef(-Infinity);

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    const action = keyAction({
      key: event.key,
      keyCode: event.keyCode,
      shiftKey: event.shiftKey,
      ctrlKey: event.ctrlKey,
      metaKey: event.metaKey,
      altKey: event.altKey,
      isComposing: event.nativeEvent.isComposing,
      sinceCompositionMs: event.timeStamp - compositionEnd.current,
      text,
      touch,
    });
    if (action === "send") onSend();
    else if (action === "newline") insertNewline(event.currentTarget);
    else if (action === "cancel" && onCancel !== undefined) onCancel();
    else if (action !== "previous-prompt" || onPrevious?.() !== true) return;
    event.preventDefault();
  }
  return {
    onKeyDown,
    onCompositionEnd: (event: CompositionEvent) => (compositionEnd.current = event.timeStamp),
  };
}

/** Through the editing command, so that the browser's undo knows it. */
function insertNewline(field: HTMLTextAreaElement): void {
  field.focus();
  document.execCommand("insertText", false, "\n");
}
