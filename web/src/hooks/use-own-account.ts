import type { OwnAccount } from "../engine/accounts/own-account.ts";
import type { Engine } from "../engine/engine.ts";
import { useOwnPart, type OwnPart } from "./use-own-part.ts";

const load = (engine: Engine) => engine.ownAccount({ says: false });

/** The engine's part for the account itself. That it cannot be had is for whoever shows it to say. */
export const useOwnAccount = (): OwnPart<OwnAccount> => useOwnPart(load);
