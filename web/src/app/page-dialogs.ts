// What opens over the page of a signed-in user, in one file: each alone is too small for a round trip.
export { FeedbackDialog } from "../features/conversation/feedback/feedback-dialog.tsx";
export { PersonasDialog } from "../features/agents/personas-dialog.tsx";
export { SettingsScreen } from "../screens/settings-screen.tsx";
export { ExportNotice } from "../features/notices/export-notice.tsx";
export { ShortcutsDialog } from "../features/notices/shortcuts-dialog.tsx";
export { SessionDialogs } from "../features/sidebar/session-dialogs.tsx";
export { SidePanels } from "../features/panels/side-panels.tsx";
export { SidebarSheet } from "../features/sidebar/sidebar-sheet.tsx";
