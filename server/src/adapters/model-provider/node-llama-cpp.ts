// The part of node-llama-cpp we use, and its loading from .extras: it stands in no package.json.
import { access } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { StartError } from "../../platform/start-error.ts";

export interface ResponseChunk {
  type: "segment" | undefined;
  segmentType: "thought" | "comment" | undefined;
  text: string;
  tokens: number[];
}

export type HistoryItem =
  | { type: "system" | "user"; text: string }
  | {
      type: "model";
      response: (string | { type: "segment"; segmentType: "thought"; text: string; ended: boolean })[];
    };

export interface GenerateOptions {
  signal: AbortSignal;
  stopOnAbortSignal: boolean;
  maxTokens: number;
  temperature: number;
  topK: number;
  topP: number;
  budgets: { thoughtTokens: number };
  onResponseChunk: (chunk: ResponseChunk) => void;
}

/** `ignoreStartText`: what is cut from the beginning of a response, white space above all. */
export interface ChatWrapper {
  generateContextState(options: unknown): { ignoreStartText?: unknown[] };
}

export interface LlamaChat {
  readonly chatWrapper: ChatWrapper;
  generateResponse(
    history: HistoryItem[],
    options: GenerateOptions,
  ): Promise<{ metadata: { stopReason: string } }>;
}

export interface ContextSequence {
  readonly tokenMeter: { getState(): { usedInputTokens: number; usedOutputTokens: number } };
}

export interface LlamaModel {
  readonly trainContextSize: number;
  tokenize(text: string, specialTokens: boolean, options: "trimLeadingSpace"): number[];
  detokenize(tokens: number[], specialTokens: boolean, lastTokens: number[]): string;
  createContext(options: {
    contextSize: { max: number };
    threads: number;
    sequences: 1;
  }): Promise<{ readonly contextSize: number; getSequence(): ContextSequence }>;
}

export interface Llama {
  loadModel(options: { modelPath: string }): Promise<LlamaModel>;
  dispose(): Promise<void>;
}

export interface NodeLlamaCpp {
  getLlama(options: {
    build: "never";
    skipDownload: true;
    gpu: false;
    maxThreads: number;
    logLevel: "error";
    progressLogs: false;
  }): Promise<Llama>;
  LlamaChat: new (options: { contextSequence: ContextSequence }) => LlamaChat;
}

const ENTRY = fileURLToPath(
  new URL("../../../../.extras/node_modules/node-llama-cpp/dist/index.js", import.meta.url),
);

/** Throws StartError when it is not installed. */
export async function requireNodeLlamaCpp(): Promise<void> {
  try {
    await access(ENTRY);
  } catch (error) {
    throw new StartError(
      "MODEL_PATH is set, but the parts that run a GGUF file are not installed. " +
        "Run `node scripts/install-extras.mjs` once (about 85 MB), or start with `npm start`, which does it.",
      { cause: error },
    );
  }
}

/** Loads the library; a quarter of a second. */
export async function loadNodeLlamaCpp(): Promise<NodeLlamaCpp> {
  return (await import(/* @vite-ignore */ pathToFileURL(ENTRY).href)) as NodeLlamaCpp;
}
