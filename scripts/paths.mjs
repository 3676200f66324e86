import { fileURLToPath } from "node:url";
import { join } from "node:path";

/** The project's folder. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** A path inside the project. */
export const inProject = (...parts) => join(root, ...parts);

/** Types are stripped once and kept here: what starts next is quicker, and the stripper's 25 MB are not loaded. */
export const compileCache = inProject(".cache", "node");
