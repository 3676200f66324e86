// What is shown of personas in chats, in one file: few need any of it.
export { GoneNotice } from "./gone-notice.tsx";
export { PersonaBadge } from "./persona-badge.tsx";
export { PersonaTiles } from "./persona-tiles.tsx";
export { PersonaWelcome } from "./persona-welcome.tsx";
