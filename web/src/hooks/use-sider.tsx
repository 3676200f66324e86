import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from "react";
import { useEngine } from "./use-engine.tsx";
import { useMedia, useSmallView } from "./use-media.ts";
import { useSelector } from "./use-selector.ts";

export interface Sider {
  /** column beside the page, rail of buttons, or a sheet over the page on the small view. */
  kind: "column" | "rail" | "sheet";
  /** Folded or opened by hand: a column fades in then, where the first picture of the page does not. */
  justToggled: boolean;
  /** Of the sheet alone. */
  sheetOpen: boolean;
  toggle: () => void;
  openSheet: () => void;
  closeSheet: () => void;
}

const SiderContext = createContext<Sider | null>(null);

/** Keeps whether the sidebar is collapsed: as remembered on wide screens, by itself below 1024 px (requirements 0§2). */
export function SiderProvider({ children }: { children: ReactNode }) {
  const engine = useEngine();
  const remembered = useSelector(engine.site.preferences, (state) => state.siderCollapsed);
  const narrow = useMedia("(width < 1024px)");
  const small = useSmallView();
  const [openedNarrow, setOpenedNarrow] = useState(false);
  const [sheetOpen, setSheetOpen] = useState(false);
  const [justToggled, setJustToggled] = useState(false);

  useEffect(() => {
    setOpenedNarrow(false);
    setSheetOpen(false);
  }, [narrow, small]);

  // The panel at the other side needs the room, and choosing what is shared does (requirements 0§2, 1§4).
  const besides = useSelector(engine.site.overlays, ({ panel, selecting }) => selecting ?? panel?.id);
  useEffect(() => {
    if (besides === undefined || !narrow) return;
    setOpenedNarrow(false);
    setSheetOpen(false);
  }, [besides, narrow]);

  const collapsed = narrow ? !openedNarrow : remembered;
  const toggle = useCallback(() => {
    setJustToggled(true);
    if (narrow) setOpenedNarrow((open) => !open);
    else engine.site.setPreferences({ siderCollapsed: !remembered });
  }, [engine, narrow, remembered]);

  const openSheet = useCallback(() => setSheetOpen(true), []);
  const closeSheet = useCallback(() => setSheetOpen(false), []);

  const sider = useMemo<Sider>(
    () => ({
      kind: small ? "sheet" : collapsed ? "rail" : "column",
      justToggled,
      sheetOpen: small && sheetOpen,
      toggle,
      openSheet,
      closeSheet,
    }),
    [small, collapsed, justToggled, sheetOpen, toggle, openSheet, closeSheet],
  );
  return <SiderContext value={sider}>{children}</SiderContext>;
}

/** The state of the sidebar. Throws outside its provider. */
export function useSider(): Sider {
  const sider = use(SiderContext);
  if (sider === null) throw new Error("useSider must be used inside SiderProvider");
  return sider;
}
