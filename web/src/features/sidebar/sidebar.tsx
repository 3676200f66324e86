import { Suspense, useEffect, type ComponentType } from "react";
import { useSider } from "../../hooks/use-sider.tsx";
import { SidebarColumn } from "./sidebar-column.tsx";
import type { SidebarProps } from "./sidebar-props.ts";
import { SidebarRail } from "./sidebar-rail.tsx";

/** The way to all else: new chat, older chats, the account. The sheet's dialog code comes when it is needed. */
export function Sidebar({ Sheet, ...props }: SidebarProps & { Sheet: ComponentType<SidebarProps> }) {
  const { kind, closeSheet } = useSider();
  const { sessionId } = props;
  // Here, since a sheet opened before its code came is to stay open when that comes.
  useEffect(() => closeSheet(), [sessionId, closeSheet]);
  if (kind === "sheet")
    return (
      <Suspense fallback={null}>
        <Sheet {...props} />
      </Suspense>
    );
  return kind === "rail" ? <SidebarRail {...props} /> : <SidebarColumn {...props} />;
}
