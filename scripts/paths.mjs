import { fileURLToPath } from "node:url";
import { join } from "node:path";

/** The project's folder. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** A path inside the project. */
export const inProject = (...parts) => join(root, ...parts);
