// A model whose every piece the test hands out itself.
import {
  type ChatMessage,
  type ModelChunk,
  ModelError,
  type ModelFailure,
  type ModelInfo,
  type ModelProvider,
  type ModelRequest,
  type OfferedModel,
} from "../src/ports/model-provider.ts";

/** One generation as the test drives it. */
export interface ScriptedRun {
  readonly request: ModelRequest;
  /** True once the server has given the generation up. */
  readonly aborted: boolean;
  /** Resolves when it does. */
  readonly abort: Promise<void>;
  think(text: string): void;
  say(text: string): void;
  /** Any chunks, as one arrival. */
  push(...chunks: ModelChunk[]): void;
  end(reason?: "stop" | "length" | "filter"): void;
  fail(failure: ModelFailure): void;
}

export interface ScriptedModel extends ModelProvider {
  /** Every request so far, titles included. */
  readonly requests: ModelRequest[];
  /** Requests of replies: all but titles and plans. */
  readonly replies: ModelRequest[];
  /** What `info` answers; may be changed. */
  details: ModelInfo;
  /** What `offered` answers; may be changed. */
  choice: OfferedModel[];
  /** What title requests are answered; null = they fail. */
  title: string | null;
  /** What requests for a plan are answered; null = they fail. */
  plan: string | null;
  /** What a reply is answered that no test drives: pieces of text by its last user message. */
  answer: (messages: ChatMessage[]) => string[];
  /** The next reply waits for the test; resolves when the server has asked for it. */
  next(): Promise<ScriptedRun>;
  /** The same for the next plan. */
  nextPlan(): Promise<ScriptedRun>;
}

/** Without `next`, it answers every reply at once with "You said: …" and every title with "A title". */
export function createScriptedModel(): ScriptedModel {
  const requests: ModelRequest[] = [];
  const waiting: ((run: ScriptedRun) => void)[] = [];
  const waitingPlans: ((run: ScriptedRun) => void)[] = [];

  const model: ScriptedModel = {
    requests,
    get replies() {
      return requests.filter(({ purpose }) => purpose !== "title" && purpose !== "plan");
    },
    details: {
      name: "scripted",
      kind: "endpoint",
      contextTokens: 61_440,
      thinking: true,
      continuation: "prefix",
    },
    choice: [],
    title: "A title",
    plan: null,
    answer: (messages) => [
      "You said: ",
      messages.findLast((message) => message.role === "user")?.content ?? "",
    ],
    next: () => new Promise((resolve) => waiting.push(resolve)),
    nextPlan: () => new Promise((resolve) => waitingPlans.push(resolve)),
    info: (id) =>
      model.choice.some((offered) => offered.id === id)
        ? { ...model.details, name: id ?? "" }
        : model.details,
    offered: () => model.choice,
    health: async () => "ok",
    close: async () => {},
    async *generate(request, signal) {
      requests.push(request);
      signal.throwIfAborted();
      const planner = request.purpose === "plan" ? waitingPlans.shift() : undefined;
      if (planner !== undefined) {
        yield* driven(request, signal, planner);
        return;
      }
      if (request.purpose === "title" || request.purpose === "plan") {
        const answer = request.purpose === "title" ? model.title : model.plan;
        if (answer === null) throw new ModelError("unavailable", `no ${request.purpose} today`);
        yield [{ type: "text", text: answer }];
        yield [{ type: "end", reason: "stop" }];
        return;
      }
      const taker = waiting.shift();
      if (taker !== undefined) {
        yield* driven(request, signal, taker);
        return;
      }
      for (const text of model.answer(request.messages)) {
        signal.throwIfAborted();
        yield [{ type: "text", text }];
      }
      yield [
        { type: "usage", promptTokens: 10, completionTokens: 5 },
        { type: "end", reason: "stop" },
      ];
    },
  };
  return model;
}

async function* driven(
  request: ModelRequest,
  signal: AbortSignal,
  taker: (run: ScriptedRun) => void,
): AsyncGenerator<ModelChunk[]> {
  const arrivals: (ModelChunk[] | ModelError)[] = [];
  let wake = (): void => {};
  const arrive = (arrival: ModelChunk[] | ModelError): void => {
    arrivals.push(arrival);
    wake();
  };
  const abort = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => {
      resolve();
      wake();
    });
  });
  taker({
    request,
    get aborted() {
      return signal.aborted;
    },
    abort,
    think: (text) => arrive([{ type: "reasoning", text }]),
    say: (text) => arrive([{ type: "text", text }]),
    push: (...chunks) => arrive(chunks),
    end: (reason = "stop") =>
      arrive([
        { type: "usage", promptTokens: 10, completionTokens: 5 },
        { type: "end", reason },
      ]),
    fail: (failure) => arrive(new ModelError(failure, `scripted: ${failure}`)),
  });
  for (;;) {
    signal.throwIfAborted();
    const arrival = arrivals.shift();
    if (arrival instanceof ModelError) throw arrival;
    if (arrival === undefined) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    yield arrival;
    if (arrival.some((chunk) => chunk.type === "end")) return;
  }
}
