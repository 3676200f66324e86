import { useEffect, useEffectEvent, useState, type RefObject } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { onFirstTouch, patiently } from "../../ui/lazy-part.tsx";
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
    let stop = onFirstTouch(load);
    let isGone = false;
    function load() {
      patiently(loadFileParts).then(begin, () => {
        if (!isGone) stop = onFirstTouch(load);
      });
    }
    function begin({ watchFileTransfer }: FileParts) {
      if (isGone) return;
      engine.files.prepare();
      const target = { field: field.current, onOver, isTaking: () => takes() };
      stop = watchFileTransfer({ ...target, onFiles: (files) => take(files) });
    }
    return () => {
      isGone = true;
      stop();
    };
  }, [engine, field]);
  return isOver;
}
