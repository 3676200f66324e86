// Looks for a model server on this machine, on the usual port of each (MODEL_BASE_URL unset).
import { Agent } from "undici";
import { ModelError } from "../../ports/model-provider.ts";
import { firstChatModel } from "./endpoint-kind.ts";
import { fetchModels } from "./model-list.ts";

/** In order of preference: Ollama, llama.cpp, LM Studio, vLLM. */
const USUAL_ADDRESSES: readonly string[] = [11434, 8080, 1234, 8000].map(
  (port) => `http://127.0.0.1:${port}/v1`,
);

const PROBE_MS = 300;

/** The first address behind which a server lists a model that writes text, or undefined; takes at most `probeMs`. */
export async function findEndpoint(
  addresses: readonly string[] = USUAL_ADDRESSES,
  probeMs = PROBE_MS,
): Promise<string | undefined> {
  const dispatcher = new Agent({ connect: { timeout: probeMs } });
  try {
    const found = await Promise.all(
      addresses.map(async (baseUrl) => {
        try {
          const models = await fetchModels({ dispatcher, baseUrl, apiKey: null }, probeMs);
          return firstChatModel(models) ? baseUrl : undefined;
        } catch (error) {
          // Nothing there, or something other than a model server.
          if (error instanceof ModelError) return undefined;
          throw error;
        }
      }),
    );
    return found.find((address) => address !== undefined);
  } finally {
    await dispatcher.destroy();
  }
}
