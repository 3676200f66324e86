import { type DragEvent, useState } from "react";

export interface FileDrop {
  /** A file that would be taken is held over the place. */
  isOver: boolean;
  onDragOver: (event: DragEvent) => void;
  onDragLeave: (event: DragEvent) => void;
  onDrop: (event: DragEvent) => void;
}

/** Makes a place take a file that is dropped on it. What the page does with files elsewhere hears nothing of it. */
export function useFileDrop(isTaking: boolean, onFile: (file: File) => void): FileDrop {
  const [isOver, setOver] = useState(false);
  const take = (event: DragEvent): boolean => {
    if (!event.dataTransfer.types.includes("Files")) return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return {
    isOver: isOver && isTaking,
    onDragOver(event) {
      if (!take(event)) return;
      event.dataTransfer.dropEffect = isTaking ? "copy" : "none";
      setOver(true);
    },
    onDragLeave({ currentTarget, relatedTarget }) {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
    },
    onDrop(event) {
      setOver(false);
      if (!take(event) || !isTaking) return;
      const [item] = event.dataTransfer.items;
      const file = item?.webkitGetAsEntry()?.isDirectory === true ? null : item?.getAsFile();
      if (file != null) onFile(file);
    },
  };
}
