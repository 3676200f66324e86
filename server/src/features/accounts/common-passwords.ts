// Passwords that a guesser tries first: those of lists that were stolen and published, the commonest first.

let known: Promise<ReadonlySet<string>> | null = null;

/** Read with the first password that is set, and kept: some 50,000, of which a third is long enough for an account. */
async function load(): Promise<ReadonlySet<string>> {
  const { default: passwords } = await import("@zxcvbn-ts/language-common/src/passwords.json", {
    with: { type: "json" },
  });
  return new Set(passwords);
}

/** Whether the password, however it is capitalised, is one of them (wire-contract.md §8.3). */
export async function isCommonPassword(password: string): Promise<boolean> {
  known ??= load().catch((error: unknown) => {
    known = null;
    throw error;
  });
  return (await known).has(password.toLowerCase());
}
