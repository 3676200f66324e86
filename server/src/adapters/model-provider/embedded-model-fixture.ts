// Writes a tiny GGUF file for tests: a valid llama with a small tokenizer, built to say one known text.
// Its blocks add nothing, so that the last token alone decides the next: a chain from "\n" through the text to the end.
import { writeFile } from "node:fs/promises";

const EMBEDDING = 64;
const FEED_FORWARD = 128;
const HEADS = 4;
const BLOCKS = 2;
const CONTEXT = 2048;
const ALIGNMENT = 32;
const VALUE_TYPE = { uint32: 4, int32: 5, float32: 6, string: 8, array: 9 } as const;

const TEMPLATE =
  "{% for message in messages %}<s>{{ message['role'] }}\n{{ message['content'] }}</s>\n{% endfor %}" +
  "{% if add_generation_prompt %}<s>assistant\n{% endif %}";

/** Little-endian writer of GGUF's primitive values. */
class GgufBuffer {
  readonly parts: Buffer[] = [];

  uint32(value: number): this {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    this.parts.push(bytes);
    return this;
  }

  uint64(value: number): this {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(value));
    this.parts.push(bytes);
    return this;
  }

  string(value: string): this {
    const bytes = Buffer.from(value);
    this.uint64(bytes.length).parts.push(bytes);
    return this;
  }

  number(key: string, value: number): this {
    return this.string(key).uint32(VALUE_TYPE.uint32).uint32(value);
  }

  text(key: string, value: string): this {
    return this.string(key).uint32(VALUE_TYPE.string).string(value);
  }

  real(key: string, value: number): this {
    this.string(key)
      .uint32(VALUE_TYPE.float32)
      .parts.push(Buffer.from(Float32Array.of(value).buffer));
    return this;
  }

  array(key: string, type: number, count: number, bytes: Buffer): this {
    this.string(key).uint32(VALUE_TYPE.array).uint32(type).uint64(count).parts.push(bytes);
    return this;
  }
}

interface Vocabulary {
  tokens: string[];
  scores: number[];
  types: number[];
}

/** All the model can say: no character twice, since each character alone decides the next one. 💡 is said in bytes. */
export const TINY_TEXT = "The quickbrown💡水山风🙂é,vxlazydgpmjSf:ABCDEFGHIJKLMNOPQRUVWXYZ0123456789!?";

const SPOKEN_IN_BYTES = "💡";

function byteToken(value: number): string {
  return `<0x${value.toString(16).toUpperCase().padStart(2, "0")}>`;
}

/** The text as tokens: one for each character, or for each byte of those that have none. */
function spoken(): string[] {
  return Array.from(TINY_TEXT).flatMap((character) => {
    if (character === SPOKEN_IN_BYTES) return [...Buffer.from(character)].map(byteToken);
    return [character === " " ? "▁" : character];
  });
}

/** SentencePiece style: specials, all bytes, then the characters. */
function vocabulary(): Vocabulary {
  const bytes = Array.from({ length: 256 }, (_, value) => byteToken(value));
  const letters = Array.from(new Set([...spoken(), ...Array.from("abcdefghijklmnopqrstuvwxyz")])).filter(
    (token) => !token.startsWith("<0x"),
  );
  const tokens = ["<unk>", "<s>", "</s>", ...bytes, ...letters];
  return {
    tokens,
    scores: tokens.map((_, index) => -index),
    types: tokens.map((_, index) => (index === 0 ? 2 : index < 3 ? 3 : index < 259 ? 6 : 1)),
  };
}

/** Random signs from a fixed seed: nearly orthogonal vectors, the same in each file. */
function signs(seed: number): (count: number) => Float32Array {
  let state = seed;
  return (count) =>
    Float32Array.from({ length: count }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state & 0x10000 ? 1 : -1;
    });
}

/** Creates the file (about 500 KB). Its context is 2,048 tokens. */
export async function writeTinyGguf(path: string): Promise<void> {
  const { tokens, scores, types } = vocabulary();
  const vectors = signs(7)(EMBEDDING * tokens.length);
  const output = new Float32Array(EMBEDDING * tokens.length);
  const chain = [byteToken(10), ...spoken(), "</s>"].map((token) => tokens.indexOf(token));
  for (const [place, token] of chain.entries()) {
    const next = chain[place + 1];
    if (next !== undefined)
      output.set(vectors.subarray(token * EMBEDDING, (token + 1) * EMBEDDING), next * EMBEDDING);
  }
  const tensors: { name: string; shape: number[]; data: Float32Array }[] = [];
  const add = (name: string, ...shape: number[]): void => {
    const count = shape.reduce((product, size) => product * size, 1);
    tensors.push({ name, shape, data: new Float32Array(count).fill(shape.length === 1 ? 1 : 0) });
  };
  tensors.push({ name: "token_embd.weight", shape: [EMBEDDING, tokens.length], data: vectors });
  for (let block = 0; block < BLOCKS; block += 1) {
    add(`blk.${block}.attn_norm.weight`, EMBEDDING);
    for (const part of ["q", "k", "v", "output"])
      add(`blk.${block}.attn_${part}.weight`, EMBEDDING, EMBEDDING);
    add(`blk.${block}.ffn_norm.weight`, EMBEDDING);
    add(`blk.${block}.ffn_gate.weight`, EMBEDDING, FEED_FORWARD);
    add(`blk.${block}.ffn_up.weight`, EMBEDDING, FEED_FORWARD);
    add(`blk.${block}.ffn_down.weight`, FEED_FORWARD, EMBEDDING);
  }
  add("output_norm.weight", EMBEDDING);
  tensors.push({ name: "output.weight", shape: [EMBEDDING, tokens.length], data: output });

  const strings = new GgufBuffer();
  for (const token of tokens) strings.string(token);
  const metadata = new GgufBuffer()
    .text("general.architecture", "llama")
    .text("general.name", "tiny test model")
    .number("llama.context_length", CONTEXT)
    .number("llama.embedding_length", EMBEDDING)
    .number("llama.block_count", BLOCKS)
    .number("llama.feed_forward_length", FEED_FORWARD)
    .number("llama.rope.dimension_count", EMBEDDING / HEADS)
    .number("llama.attention.head_count", HEADS)
    .number("llama.attention.head_count_kv", HEADS)
    .real("llama.attention.layer_norm_rms_epsilon", 1e-5)
    .number("llama.vocab_size", tokens.length)
    .text("tokenizer.ggml.model", "llama")
    .array("tokenizer.ggml.tokens", VALUE_TYPE.string, tokens.length, Buffer.concat(strings.parts))
    .array(
      "tokenizer.ggml.scores",
      VALUE_TYPE.float32,
      tokens.length,
      Buffer.from(Float32Array.from(scores).buffer),
    )
    .array(
      "tokenizer.ggml.token_type",
      VALUE_TYPE.int32,
      tokens.length,
      Buffer.from(Int32Array.from(types).buffer),
    )
    .number("tokenizer.ggml.unknown_token_id", 0)
    .number("tokenizer.ggml.bos_token_id", 1)
    .number("tokenizer.ggml.eos_token_id", 2)
    .text("tokenizer.chat_template", TEMPLATE);
  const entries = 19;

  const head = new GgufBuffer();
  head.parts.push(Buffer.from("GGUF"));
  head.uint32(3).uint64(tensors.length).uint64(entries);
  head.parts.push(...metadata.parts);
  let offset = 0;
  for (const { name, shape, data } of tensors) {
    head.string(name).uint32(shape.length);
    for (const size of shape) head.uint64(size);
    // Type 0 is float32; sizes are multiples of the alignment, so that offsets are too.
    head.uint32(0).uint64(offset);
    offset += Math.ceil(data.byteLength / ALIGNMENT) * ALIGNMENT;
  }
  const pad = (bytes: Buffer): Buffer =>
    Buffer.concat([bytes, Buffer.alloc(-bytes.length & (ALIGNMENT - 1))]);
  const body = tensors.map(({ data }) => pad(Buffer.from(data.buffer)));
  await writeFile(path, Buffer.concat([pad(Buffer.concat(head.parts)), ...body]));
}
