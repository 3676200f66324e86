// Which server stands behind an OpenAI-compatible address: they differ in how thinking and continuation are asked for.

export type EndpointKind =
  | "ollama"
  | "llamacpp"
  | "vllm"
  | "sglang"
  | "lmstudio"
  | "deepseek"
  | "deepseek_beta"
  | "openai"
  | "dashscope"
  | "other";

/** One line of an endpoint's /models. */
export interface ListedModel {
  id: string;
  owned_by?: string;
  max_model_len?: number;
}

const LOCAL_PORTS: Record<string, EndpointKind> = {
  "11434": "ollama",
  "8080": "llamacpp",
  "1234": "lmstudio",
  "8000": "vllm",
};
const OWNERS: Record<string, EndpointKind> = {
  library: "ollama",
  llamacpp: "llamacpp",
  vllm: "vllm",
  sglang: "sglang",
};
const HOSTS: [RegExp, EndpointKind][] = [
  [/(^|\.)openai\.com$/, "openai"],
  [/(^|\.)openai\.azure\.com$/, "openai"],
  [/(^|\.)aliyuncs\.com$/, "dashscope"],
  [/(^|\.)siliconflow\.(cn|com)$/, "dashscope"],
];

/** A name or address of this machine or its network: such a model may take long to load. */
export function isLocalEndpoint(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, "");
  return (
    !/[.:]/.test(host) ||
    /\.(local|lan|internal|localhost)$/.test(host) ||
    /^(127|10)\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|^169\.254\./.test(host) ||
    /^(::1$|f[cd]|fe80:)/i.test(host)
  );
}

/** By host and path, then by the `owned_by` of the listed models, then by the usual port of a local server. */
export function endpointKind(baseUrl: string, models: readonly ListedModel[] = []): EndpointKind {
  const { hostname, port, pathname } = new URL(baseUrl);
  if (/(^|\.)deepseek\.com$/.test(hostname))
    return /^\/beta(\/|$)/.test(pathname) ? "deepseek_beta" : "deepseek";
  const byHost = HOSTS.find(([pattern]) => pattern.test(hostname));
  if (byHost) return byHost[1];
  for (const { owned_by: owner } of models) {
    const kind = owner === undefined ? undefined : OWNERS[owner];
    if (kind) return kind;
  }
  // A local server that names another owner is not the usual one of that port, but it may also name none.
  return (isLocalEndpoint(baseUrl) && LOCAL_PORTS[port]) || "other";
}

/** `auto` of MODEL_CONTINUATION. */
export function autoContinuation(kind: EndpointKind): "prefix" | "instruct" {
  return ["ollama", "llamacpp", "vllm", "sglang", "deepseek_beta"].includes(kind) ? "prefix" : "instruct";
}

const NO_CHAT =
  /embed|rerank|whisper|(^|[-_/])(tts|stt|asr|bge|gte|e5|clip|speech|moderation|dall-e|sora|transcribe|realtime|image|audio)([-_/.:\d]|$)/i;

/** True for a model that writes text, as far as its name tells. */
export function isChatModel({ id }: ListedModel): boolean {
  return !NO_CHAT.test(id);
}

/** The first model that writes text, or undefined. */
export function firstChatModel(models: readonly ListedModel[]): ListedModel | undefined {
  return models.find(isChatModel);
}
