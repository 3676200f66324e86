// One call of a service that the operator has named: JSON out of it, bounded in time and bytes. Its address may well be in a
// private network: it does not go through the guard of guarded-fetch.ts.
import { request } from "undici";
import { codeOf } from "../error-words.ts";

/** Of an answer that is read, in characters. */
const ANSWER_LIMIT = 256 * 1024;

/** Why there is no answer, without anything that was sent. */
export class NoAnswer extends Error {}

export interface JsonQuestion {
  url: URL;
  /** Sent with POST, as a form or as JSON; absent = GET. */
  body?: URLSearchParams | object;
  timeoutMs: number;
}

/** The parsed answer of status 200, whatever its shape. Throws NoAnswer. */
export async function askJson({ url, body, timeoutMs }: JsonQuestion): Promise<unknown> {
  try {
    return await ask(url, body, AbortSignal.timeout(timeoutMs));
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    const timeout = error instanceof Error && error.name === "TimeoutError";
    throw new NoAnswer(timeout ? `no answer in ${timeoutMs} ms` : (codeOf(error) ?? "no connection"));
  }
}

async function ask(url: URL, body: JsonQuestion["body"], signal: AbortSignal): Promise<unknown> {
  const form = body instanceof URLSearchParams;
  const answer = await request(url, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      accept: "application/json",
      ...(body === undefined
        ? {}
        : { "content-type": form ? "application/x-www-form-urlencoded" : "application/json" }),
    },
    ...(body === undefined ? {} : { body: form ? body.toString() : JSON.stringify(body) }),
    signal,
  });
  let text = "";
  for await (const part of answer.body.setEncoding("utf8")) {
    text += String(part);
    if (text.length > ANSWER_LIMIT) throw new NoAnswer("its answer has no end");
  }
  if (answer.statusCode !== 200) throw new NoAnswer(`it answered ${answer.statusCode}`);
  try {
    return JSON.parse(text);
  } catch {
    throw new NoAnswer("its answer is no JSON");
  }
}
