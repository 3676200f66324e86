// What every page of chats begins with, as one file.
export { createChat } from "../engine/create-chat.ts";
export { PageFrame } from "./page-frame.tsx";
