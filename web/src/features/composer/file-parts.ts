// What the composer needs once there are files, in one file.
export { DraftFiles } from "./draft-files.tsx";
export { DropArea } from "./drop-area.tsx";
export { watchFileTransfer } from "./watch-file-transfer.ts";
