// The personas of a user: create, list, edit, delete (wire-contract.md §15).
import { randomUUID } from "node:crypto";
import { LIMITS } from "@plumb/protocol/limits";
import {
  type CharacterFields,
  type CharacterProblem,
  characterProblems,
  fitCharacter,
  type TypedCharacter,
} from "@plumb/protocol/rules/character-rules";
import {
  type CharacterAnswer,
  CharacterRefusal,
  createCharacter,
  deleteCharacter,
  updateCharacter,
} from "@plumb/protocol/wire/agents";
import { listCharacters } from "@plumb/protocol/wire/character-list";
import type { RefusalCode } from "@plumb/protocol/wire/call";
import type { Deps } from "../../platform/deps.ts";
import { route, type Route } from "../../platform/http/route.ts";
import { Refusal } from "../../platform/refusal.ts";
import { requireAllowedText } from "../moderation/require-allowed-text.ts";
import {
  changeCharacter,
  type CharacterRow,
  countCharacters,
  findCharacter,
  insertCharacter,
  listOfCharacters,
  presentCharacter,
  removeCharacter,
} from "./character-store.ts";

const api = { rate: "api", accountStatus: "any" } as const;
const writing = { ...api, muted: "global" } as const;

const REFUSALS: Record<CharacterProblem, RefusalCode> = {
  "name-empty": CharacterRefusal.CharacterNameEmpty,
  "instructions-empty": CharacterRefusal.CharacterInstructionsEmpty,
  "name-too-long": CharacterRefusal.CharacterNameTooLong,
  "greeting-too-long": CharacterRefusal.CharacterGreetingTooLong,
  "instructions-too-long": CharacterRefusal.CharacterInstructionsTooLong,
  "avatar-invalid": CharacterRefusal.CharacterAvatarInvalid,
};

export function characterRoutes(deps: Deps): Route[] {
  const { db, ports } = deps;
  /** Throws what `requireAllowedText` throws, with Refusal 8. */
  const refuseViolation = ({ name, greeting, instructions }: CharacterFields): Promise<void> =>
    requireAllowedText(
      deps,
      [name, greeting ?? "", instructions].join("\n\n"),
      CharacterRefusal.CharacterInfoViolation,
    );

  return [
    route(createCharacter, writing, async ({ user }, request) => {
      const fields = fit(request);
      const refuseOneMore = (count: number): void => {
        if (count >= LIMITS.charactersMax) throw new Refusal(CharacterRefusal.MaxCharactersReached);
      };
      refuseOneMore((await listOfCharacters(db.kysely, user.id)).length);
      await refuseViolation(fields);
      const now = ports.clock.now();
      const row = { ...fields, id: randomUUID(), user_id: user.id, created_at: now, updated_at: now };
      await db.transaction(async (trx) => {
        refuseOneMore(await countCharacters(db, trx, user.id));
        await insertCharacter(trx, row);
      });
      return answerOf(row);
    }),

    route(listCharacters, api, async ({ user }) => ({
      characters: await Promise.all((await listOfCharacters(db.kysely, user.id)).map(presentCharacter)),
      max_count: LIMITS.charactersMax,
    })),

    route(updateCharacter, writing, async ({ user }, { character_id: id, ...request }) => {
      const { greeting, ...rest } = request;
      const change: Partial<TypedCharacter> = {
        ...(greeting === undefined ? {} : { greeting }),
        ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null)),
      };
      const before = await findCharacter(db.kysely, user.id, id);
      if (before === undefined) throw new Refusal(CharacterRefusal.CharacterNotFound);
      const fields = fit({ ...before, ...change });
      await refuseViolation(fields);
      // Only what is given: another device may have changed the rest meanwhile.
      const given = Object.fromEntries(
        Object.entries(fields).filter(([name]) => Object.hasOwn(change, name)),
      ) as Partial<CharacterFields>;
      const row = await changeCharacter(db.kysely, before, { ...given, updated_at: ports.clock.now() });
      if (row === undefined) throw new Refusal(CharacterRefusal.CharacterNotFound);
      return answerOf(row);
    }),

    route(deleteCharacter, api, async ({ user }, { character_id: id }) => {
      if (!(await removeCharacter(db.kysely, user.id, id)))
        throw new Refusal(CharacterRefusal.CharacterNotFound);
      return null;
    }),
  ];
}

/** What is typed as it is stored. Throws the first refusal in the order of the contract. */
function fit(typed: TypedCharacter): CharacterFields {
  const [problem] = characterProblems(typed);
  if (problem !== undefined) throw new Refusal(REFUSALS[problem]);
  return fitCharacter(typed);
}

async function answerOf(row: CharacterRow): Promise<CharacterAnswer> {
  const character = await presentCharacter(row);
  return { ...character, character };
}
