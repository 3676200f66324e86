// What an endpoint says when it refuses, in the words of the port. Keys never get into a message.
import { codeOf } from "../../platform/error-words.ts";
import { ModelError, type ModelFailure } from "../../ports/model-provider.ts";

/** The endpoint answered, with an error of this HTTP status. */
class EndpointRefusal extends ModelError {
  readonly status: number;
  constructor(failure: ModelFailure, message: string, status: number) {
    super(failure, message);
    this.name = "EndpointRefusal";
    this.status = status;
  }
}

const CONTEXT_LENGTH =
  /context[_ ](length|window|size)|maximum context|n_ctx|max_model_len|(prompt|input|message)s? (is|are) too long|too many (input )?tokens|reduce the length/i;
const BUSY =
  /overload|server[_ ](is )?busy|over capacity|at capacity|loading model|insufficient_system_resource/i;
const RATE_LIMIT = /rate[_ -]?limit|too many requests/i;

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** Endpoint messages can quote the key: it is cut out, and the rest kept short. */
function shown(text: string, secret: string | null): string {
  const clean = secret ? text.replaceAll(secret, "[key]") : text;
  return clean
    .replace(/\b(sk|key|Bearer)[-_ ][\w*.-]{6,}/gi, "[key]")
    .replace(/\*{2,}[\w.-]*/g, "[key]")
    .replace(/\s+/g, " ")
    .slice(0, 300);
}

function failureOf(status: number | undefined, words: string): ModelFailure {
  if (CONTEXT_LENGTH.test(words)) return "context_length";
  if (status === 429 || RATE_LIMIT.test(words)) return "rate_limited";
  if (status === 503 || status === 529 || BUSY.test(words)) return "busy";
  return "unavailable";
}

/** The `error` of an answer or of an event in mid-stream: an object or a text. */
export function errorOfObject(error: unknown, secret: string | null, status?: number): ModelError {
  const given = typeof error === "string" ? error : field(error, "message");
  const message = typeof given === "string" ? given : "no message";
  const words = [message, field(error, "code"), field(error, "type")].map(String).join(" ");
  const code = Number(field(error, "code"));
  const from = status ?? (code >= 400 && code < 600 ? code : undefined);
  const said = `The model endpoint reported an error${from ? ` (${from})` : ""}: ${shown(message, secret)}`;
  const failure = failureOf(from, words);
  return from === undefined ? new ModelError(failure, said) : new EndpointRefusal(failure, said, from);
}

/** An answer that is no event stream: an error status, JSON with an error, a page of some proxy. */
export function errorOfAnswer(status: number, body: string, secret: string | null): ModelError {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    parsed = undefined;
  }
  const error = field(Array.isArray(parsed) ? parsed[0] : parsed, "error");
  if (error !== undefined && error !== null)
    return errorOfObject(error, secret, status >= 400 ? status : undefined);
  if (status < 400)
    return new ModelError(
      "protocol",
      "The model endpoint answered with something other than an event stream.",
    );
  const message = field(parsed, "message") ?? field(parsed, "detail");
  const words =
    typeof message === "string" ? message : body.trimStart().startsWith("<") ? "a web page" : body;
  return new EndpointRefusal(
    failureOf(status, words),
    `The model endpoint answered ${status}: ${shown(words, secret)}`,
    status,
  );
}

/** True where an endpoint answered a call with an error that speaks of its tools. */
export function refusesTools(error: unknown): boolean {
  return (
    error instanceof EndpointRefusal &&
    error.failure === "unavailable" &&
    /\btools?\b|tool[_ -]choice/iu.test(error.message)
  );
}

/** A connection that could not be made or broke. */
export function errorOfConnection(error: Error): ModelError {
  const code = codeOf(error) ?? error.name;
  return new ModelError("unavailable", `The connection to the model endpoint failed (${code}).`, {
    cause: error,
  });
}

/** True where a connection that stood was lost, not where none could be made. */
export function isBrokenConnection(error: Error): boolean {
  return ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].includes(codeOf(error) ?? "");
}

/** Why an endpoint is of no use now, for whoever runs the server; begins in lower case, after the endpoint's name. */
export function troubleOf(error: Error, hasKey: boolean): string {
  if (!(error instanceof ModelError)) return "cannot be asked";
  if (!(error instanceof EndpointRefusal)) {
    return error.failure === "protocol"
      ? "answers with something other than a list of models: check MODEL_BASE_URL"
      : "does not answer";
  }
  const { status } = error;
  if (status !== 401 && status !== 403) return `answers with an error (${status})`;
  return hasKey
    ? `refused the key (${status}): check MODEL_API_KEY`
    : `asks for a key (${status}): set MODEL_API_KEY`;
}
