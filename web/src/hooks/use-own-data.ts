import type { Engine } from "../engine/engine.ts";
import type { OwnData } from "../engine/exports/own-data.ts";
import { useOwnPart, type OwnPart } from "./use-own-part.ts";

const load = (engine: Engine) => engine.ownData({ says: false });

/** The engine's part for all that is the user's. That it cannot be had is for whoever shows it to say. */
export const useOwnData = (): OwnPart<OwnData> => useOwnPart(load);
