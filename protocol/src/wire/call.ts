// A call of the API as one value: both sides build from it (wire.md §5 ff.).
import type * as z from "zod/mini";

export type Auth = "none" | "bearer" | "optional";
export type Proof = "none" | "guest" | "user:completion_like" | "user:upload_file";

/** The number and constant of an expected "no" (`biz_code`, `biz_msg`). */
export interface RefusalCode {
  readonly code: number;
  readonly msg: string;
}

/** `answers`: "json" = envelope; "account" = envelope whose biz_data mirrors code and msg (§1.4); "stream" = event stream, or JSON when refused. */
export interface Call<Request = unknown, Response = unknown> {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly auth: Auth;
  readonly proof: Proof;
  readonly answers: "json" | "account" | "stream";
  /** Schema of the query (GET) or body (POST). Parsing never trusts the caller. */
  readonly request: z.ZodMiniType<Request>;
  /** Phantom: the type of `biz_data` on success. */
  readonly response?: Response;
}

export type RequestOf<C> = C extends Call<infer R, unknown> ? R : never;
export type ResponseOf<C> = C extends Call<never, infer R> ? R : C extends Call<infer _Q, infer R> ? R : never;

type Definition<S> = Omit<Call, "request" | "response" | "answers" | "auth" | "proof"> & {
  request: S;
  auth?: Auth;
  proof?: Proof;
  answers?: Call["answers"];
};

/**
 * Defines a call. Use: `defineCall<Response>()({ method, path, request, … })`;
 * auth, proof and answers default to bearer, none and json.
 */
export function defineCall<Response>() {
  return <S extends z.ZodMiniType>(definition: Definition<S>): Call<z.infer<S>, Response> => ({
    auth: "bearer",
    proof: "none",
    answers: "json",
    ...definition,
  }) as Call<z.infer<S>, Response>;
}
