// A call of the API as one value: both sides build from it (wire-contract.md §5 ff.).
import type * as z from "zod/mini";

export type Auth = "none" | "bearer" | "optional";
export type Proof = "none" | "guest" | "user:completion_like" | "user:upload_file";

/** The number and constant of an expected "no" (`biz_code`, `biz_msg`). */
export interface RefusalCode {
  readonly code: number;
  readonly msg: string;
}

/**
 * `answers`: "json" = envelope; "account" = envelope whose biz_data mirrors code and msg (§1.4); "stream" = event stream, or
 * JSON when refused; "redirect" = 302, a refusal of the call's own too (§8.7), and JSON where the call was not looked at.
 */
export interface Call<Request = unknown, Response = unknown, Input = unknown, A extends Auth = Auth> {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly auth: A;
  readonly proof: Proof;
  readonly answers: "json" | "account" | "stream" | "redirect";
  /** Values of `biz_code` that are a success; [0] but for the exceptions of §1.4. */
  readonly successCodes: readonly number[];
  /** Keys of biz_data that the envelope repeats beside biz_data (§1.4: `user` of users/current). */
  readonly repeatedKeys: readonly string[];
  /** Schema of the query (GET) or body (POST). Parsing never trusts the caller. */
  readonly request: z.ZodMiniType<Request, Input>;
  /** Phantom: the type of `biz_data` on success. */
  readonly response?: Response;
}

/** What a handler gets: absent optional keys are null or their default, ids are numbers. */
export type RequestOf<C> = C extends { request: z.ZodMiniType<infer R> } ? R : never;
/** What a client may send: optional keys may be left out. */
export type InputOf<C> = C extends { request: z.ZodMiniType<unknown, infer I> } ? I : never;
/** `biz_data` of a success. */
export type ResponseOf<C> = C extends { readonly response?: infer R } ? Exclude<R, undefined> : never;

interface Definition<S, A extends Auth> {
  method: Call["method"];
  path: string;
  request: S;
  auth?: A;
  proof?: Proof;
  answers?: Call["answers"];
  successCodes?: readonly number[];
  repeatedKeys?: readonly string[];
}

/**
 * Defines a call. Use: `defineCall<Response>()({ method, path, request, … })`;
 * auth, proof and answers default to bearer, none and json.
 */
export function defineCall<Response>() {
  return <const S extends z.ZodMiniType, A extends Auth = "bearer">(
    definition: Definition<S, A>,
  ): Call<z.output<S>, Response, z.input<S>, A> =>
    ({
      auth: "bearer",
      proof: "none",
      answers: "json",
      successCodes: [0],
      repeatedKeys: [],
      ...definition,
    }) as Call<z.output<S>, Response, z.input<S>, A>;
}
