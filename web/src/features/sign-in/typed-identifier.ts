import { createContext, useContext } from "react";

/** The email or phone that was typed last, as long as one goes from form to form; in memory alone, and gone with a sign-in. */
export const TypedIdentifier = createContext<{ current: string }>({ current: "" });

export const useTypedIdentifier = (): { current: string } => useContext(TypedIdentifier);
