// The people of a run. Accounts are shared where a case needs only an account, and changed before a limit is near.
import type { ConformanceTarget } from "./conformance-target.ts";
import { Person } from "./person.ts";

/** A case asks its shared account for fewer requests than these leave below the limits of a minute (wire-contract.md §1.9). */
const requestsPerAccount = 100;

export interface World {
  readonly target: ConformanceTarget;
  guest(): Person;
  /** Signed in, nothing done yet, and nobody else's. */
  newPerson(): Promise<Person>;
  /** Signed in and shared: for cases that need no other state than what they make themselves. */
  person(): Promise<Person>;
}

export function createWorld(target: () => ConformanceTarget): World {
  let shared: Person | null = null;
  return {
    get target() {
      return target();
    },
    guest: () => new Person(target()),
    newPerson: () => new Person(target()).signUp(),
    async person() {
      if (shared === null || shared.requests > requestsPerAccount) {
        shared = await new Person(target()).signUp();
      }
      return shared;
    },
  };
}
