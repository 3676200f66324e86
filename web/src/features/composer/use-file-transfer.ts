import { useEffect, useEffectEvent, useState, type RefObject } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { loadOnTouch, patiently } from "../../ui/lazy-part.tsx";
import { attachFiles, loadFileParts, type FileParts } from "./attach-files.ts";

/** Takes files that are dropped or pasted, once the page was touched. True while files are held over it. */
export function useFileTransfer(
  field: RefObject<HTMLElement | null>,
  sessionKey: string,
  isTaking: boolean,
): boolean {
  const engine = useEngine();
  const [isOver, onOver] = useState(false);
  const takes = useEffectEvent(() => isTaking);
  const take = useEffectEvent((files: readonly File[]) => void attachFiles(engine, sessionKey, files));
  useEffect(() => {
    let stopWatching = () => {};
    function begin({ watchFileTransfer }: FileParts) {
      engine.files.prepare();
      const target = { field: field.current, onOver, isTaking: () => takes() };
      stopWatching = watchFileTransfer({ ...target, onFiles: (files) => take(files) });
    }
    const stopWaiting = loadOnTouch(() => patiently(loadFileParts), begin);
    return () => {
      stopWaiting();
      stopWatching();
    };
  }, [engine, field]);
  return isOver;
}
