// The few schemas every request is built of (wire-contract.md §0 and §1.7).
import * as z from "zod/mini";
import { hasAtMost } from "../rules/code-points.ts";
import { isUsableUnicode } from "../rules/prompt-rules.ts";

const numericString = z.string().check(z.regex(/^-?\d{1,16}$/, "not an integer"));
const safeInteger = z.int("not an integer");

/** `id` and integers of requests: a JSON integer or a numeric string, within 53 bits. */
export const id = z.pipe(
  z.union([safeInteger, z.pipe(numericString, z.transform(Number))], "not an integer"),
  safeInteger,
);

/** Beyond it the milliseconds of a time no longer fit in 53 bits, nor in a database's columns. */
const MAX_SECONDS = Math.floor(Number.MAX_SAFE_INTEGER / 1000);

/** `secs` of requests: a float that may come as text, as in queries. */
export const seconds = z
  .union(
    [
      z.number(),
      z.pipe(z.string().check(z.regex(/^-?\d{1,16}(\.\d{1,9})?$/, "not a number")), z.transform(Number)),
    ],
    "not a number",
  )
  .check(z.refine((value) => Math.abs(value) <= MAX_SECONDS, "out of range"));

/** A string of at most `max` code points that a database can keep. */
export function text(max: number) {
  return z.string().check(
    z.refine((value) => hasAtMost(value, max), `longer than ${max}`),
    z.refine(isUsableUnicode, "invalid characters"),
  );
}

/** A key that may be absent or null; null for the handler then. */
export function maybe<S extends z.ZodMiniType>(schema: S) {
  return z.pipe(
    z.optional(z.nullable(schema)),
    z.transform((value): z.output<S> | null => value ?? null),
  );
}

/** As `maybe`, with a default instead of null. */
export function withDefault<S extends z.ZodMiniType>(schema: S, fallback: z.output<S>) {
  return z.pipe(
    z.optional(z.nullable(schema)),
    z.transform((value): z.output<S> => value ?? fallback),
  );
}

/** A string whose absence is answered by the call's own number: "" for the handler then. */
export const textOrEmpty = withDefault(z.string(), "");

/** Request of calls that take none. */
export const nothing = z.object({});
