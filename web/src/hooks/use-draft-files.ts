import { useMemo } from "react";
import type { DraftFile } from "../engine/files/draft-file.ts";
import { useEngine } from "./use-engine.tsx";
import { useSelector } from "./use-selector.ts";

const NONE: readonly DraftFile[] = [];

/** The files of a draft that are on show: not those whose message is on its way. */
export function useDraftFiles(sessionKey: string): readonly DraftFile[] {
  const { files } = useEngine();
  const all = useSelector(files.store, ({ byKey }) => byKey[sessionKey] ?? NONE);
  return useMemo(() => all.filter(({ sent }) => sent !== "now"), [all]);
}
