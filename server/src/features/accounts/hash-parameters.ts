/** Of a new hash. argon2id is the library's default algorithm; the numbers are OWASP's minimum. `memoryCost` in KiB. */
export const HASH_PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
