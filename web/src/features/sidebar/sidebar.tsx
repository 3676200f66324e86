import { useSider } from "../../hooks/use-sider.tsx";
import { SidebarColumn } from "./sidebar-column.tsx";
import { SidebarRail } from "./sidebar-rail.tsx";
import { SidebarSheet } from "./sidebar-sheet.tsx";

export interface SidebarProps {
  /** The session on show, marked in the list. */
  sessionId: string | null;
  /** Absent at the root, where the page is a new chat already. */
  onNewChat?: (() => void) | undefined;
}

/** The way to all else: new chat, older chats, the account. */
export function Sidebar(props: SidebarProps) {
  const { kind } = useSider();
  if (kind === "sheet") return <SidebarSheet {...props} />;
  return kind === "rail" ? <SidebarRail {...props} /> : <SidebarColumn {...props} />;
}
