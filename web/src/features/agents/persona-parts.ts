// Everything about personas that is shown, in one file: few chats need any of it.
export { GoneNotice } from "./gone-notice.tsx";
export { PersonaBadge } from "./persona-badge.tsx";
export { PersonaTiles } from "./persona-tiles.tsx";
export { PersonaWelcome } from "./persona-welcome.tsx";
export { PersonasDialog } from "./personas-dialog.tsx";
