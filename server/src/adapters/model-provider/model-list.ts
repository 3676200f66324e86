// What an endpoint's /models says: read at the start without blocking it, and again until it answers.
import type { Dispatcher } from "undici";
import { ModelError } from "../../ports/model-provider.ts";
import { errorOfAnswer, errorOfConnection } from "./endpoint-errors.ts";
import type { ListedModel } from "./endpoint-kind.ts";

const LIST_LIMIT = 4 * 1024 * 1024;

export interface ModelListAddress {
  dispatcher: Dispatcher;
  baseUrl: string;
  apiKey: string | null;
}

/** Authorization for an endpoint, when there is a key. */
export function authorization(apiKey: string | null): Record<string, string> {
  return apiKey ? { authorization: `Bearer ${apiKey}` } : {};
}

function isListed(value: unknown): value is ListedModel {
  return typeof value === "object" && value !== null && typeof (value as { id?: unknown }).id === "string";
}

/** The listed models, none when the endpoint keeps no list; throws ModelError when there is no such list within `timeoutMs`. */
export async function fetchModels(address: ModelListAddress, timeoutMs: number): Promise<ListedModel[]> {
  const { dispatcher, baseUrl, apiKey } = address;
  const url = new URL(`${baseUrl}/models`);
  const signal = AbortSignal.timeout(timeoutMs);
  let status = 0;
  let text = "";
  try {
    const answer = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: "GET",
      headers: { accept: "application/json", ...authorization(apiKey) },
      signal,
    });
    status = answer.statusCode;
    for await (const part of answer.body.setEncoding("utf8")) {
      text += String(part);
      if (text.length > LIST_LIMIT)
        throw new ModelError("protocol", "The endpoint's list of models has no end.");
    }
  } catch (error) {
    if (error instanceof ModelError) throw error;
    throw errorOfConnection(error instanceof Error ? error : new Error(String(error)));
  }
  // Some endpoints have no such path: they answer, and a name must be set.
  if (status === 404 || status === 405) return [];
  if (status !== 200) throw errorOfAnswer(status, text, apiKey);
  let data: unknown;
  try {
    data = (JSON.parse(text) as { data?: unknown } | null)?.data;
  } catch (error) {
    throw new ModelError("protocol", "The endpoint's list of models is no JSON.", { cause: error });
  }
  if (!Array.isArray(data)) throw new ModelError("protocol", "The endpoint has no list of models.");
  return data.filter(isListed);
}

/** Keeps asking until the list is there: after 1 s, then in growing steps up to 30 s. */
export class ModelList {
  models: ListedModel[] | undefined;
  /** Why the last asking failed. */
  error: Error | undefined;
  private readonly address: ModelListAddress;
  private readonly onChange: (error?: Error) => void;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;
  private running: Promise<void> | undefined;

  /** `onChange` is called after each asking, with the reason when there is no list. */
  constructor(address: ModelListAddress, onChange: (error?: Error) => void) {
    this.address = address;
    this.onChange = onChange;
    void this.refresh(1_000);
  }

  /** Asks once more now, unless it is being asked already. Never rejects. */
  refresh(nextMs = 1_000): Promise<void> {
    this.running ??= this.ask(nextMs).finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  private async ask(nextMs: number): Promise<void> {
    clearTimeout(this.timer);
    try {
      this.models = await fetchModels(this.address, 5_000);
      this.error = undefined;
      if (!this.closed) this.onChange();
    } catch (error) {
      if (this.closed) return;
      this.error = error instanceof Error ? error : new Error(String(error));
      this.onChange(this.error);
      this.timer = setTimeout(() => void this.refresh(Math.min(nextMs * 2, 30_000)), nextMs);
      this.timer.unref();
    }
  }
}
