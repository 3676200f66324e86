// Where the visitor wanted to go, in the address from form to form. What is followed of it is the route guard's to say.
import { SIGN_IN } from "../../engine/reactions.ts";

/** The address of another form, with what the query string of this one says; one that has its own keeps that. */
export function withWanted(to: string, search: string): string {
  return search === "" || to.includes("?") ? to : `${to}?${search}`;
}

/** The sign-in page after a sign-in elsewhere came to nothing. `target`: where that was to lead, see `Preferences`. */
export function signInAgain(target: string): string {
  if (target === "chat") return SIGN_IN;
  const wanted = target === "coder" ? { from: target } : { redirect: target };
  return `${SIGN_IN}?${new URLSearchParams(wanted).toString()}`;
}
