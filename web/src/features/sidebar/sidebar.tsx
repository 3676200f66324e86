import { Suspense } from "react";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { useSider } from "../../hooks/use-sider.tsx";
import { SidebarColumn } from "./sidebar-column.tsx";
import type { SidebarProps } from "./sidebar-props.ts";
import { SidebarRail } from "./sidebar-rail.tsx";

/** The sheet comes with its dialog code, which wide views do not need. */
export const sidebarSheet = lazyPart(async () => (await import("./sidebar-sheet.tsx")).SidebarSheet);

/** The way to all else: new chat, older chats, the account. */
export function Sidebar(props: SidebarProps) {
  const { kind } = useSider();
  if (kind === "sheet")
    return (
      <Suspense fallback={null}>
        <sidebarSheet.Part {...props} />
      </Suspense>
    );
  return kind === "rail" ? <SidebarRail {...props} /> : <SidebarColumn {...props} />;
}
