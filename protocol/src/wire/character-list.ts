// The list of a user's personas, which every welcome page asks for: apart from the calls that change them.
import type { Character } from "./agents.ts";
import { defineCall } from "./call.ts";
import { nothing } from "./fields.ts";

/** All of the user's, the latest update first. */
export const listCharacters = defineCall<{ characters: Character[]; max_count: number }>()({
  method: "GET",
  path: "/api/v0/character/list",
  request: nothing,
});
