// Chats in the form in which Open WebUI exports them. All of it is made up here.

interface Said {
  id: string;
  parentId: string | null;
  role: "user" | "assistant";
  content: string;
  [key: string]: unknown;
}

/** A chat of these messages. */
export function openWebUiChat(
  messages: readonly Said[],
  extra: Record<string, unknown> = {},
): Record<string, unknown> {
  const withChildren = messages.map((message) => ({
    timestamp: 1_720_000_000,
    ...message,
    childrenIds: messages.filter(({ parentId }) => parentId === message.id).map(({ id }) => id),
  }));
  return {
    id: "11111111-0000-4000-8000-000000000001",
    user_id: "22222222-0000-4000-8000-000000000002",
    title: "About birds",
    chat: {
      id: "",
      title: "About birds",
      models: ["llama3.2:latest"],
      params: {},
      history: {
        messages: Object.fromEntries(withChildren.map((message) => [message.id, message])),
        currentId: messages.at(-1)?.id ?? null,
      },
      messages: withChildren,
      tags: [],
      timestamp: 1_720_000_000_123,
      files: [],
    },
    updated_at: 1_720_000_500,
    created_at: 1_720_000_000,
    share_id: null,
    archived: false,
    pinned: true,
    meta: { tags: [] },
    folder_id: null,
    ...extra,
  };
}

/** With everything that such an export may have. */
export const richChat = openWebUiChat([
  {
    id: "u1",
    parentId: null,
    role: "user",
    content: "Which bird is this?",
    files: [
      { type: "image", url: "data:image/png;base64,AAAA" },
      { type: "file", name: "notes.pdf", id: "f1", file: { meta: { name: "notes.pdf" } } },
    ],
    models: ["llama3.2:latest", "qwen3:8b"],
  },
  {
    id: "a1",
    parentId: "u1",
    role: "assistant",
    content:
      '<details type="reasoning" done="true" duration="12">\n<summary>Thought for 12 seconds</summary>\n&gt; It sings &amp; flies.\n> So 1 &lt; 2.\n</details>\nA lark [1], or not [2, 3]. `x[1](y)` [9]',
    model: "llama3.2:latest",
    modelName: "llama3.2",
    modelIdx: 0,
    done: true,
    annotation: { rating: 1, comment: "good" },
    statusHistory: [
      {
        done: true,
        action: "web_search",
        description: "Searched",
        query: "larks",
        queries: ["songs of larks", { toString: "no text" }],
        urls: ["https://example.org/lark"],
      },
    ],
    sources: [
      {
        source: { name: "search", type: "web_search" },
        document: ["A lark is a bird.", "Another page."],
        metadata: [
          { source: "https://example.org/lark", title: "The lark" },
          { source: "https://example.org/other", title: "Other" },
        ],
      },
      {
        source: { name: "notes.pdf", id: "f1" },
        document: ["x"],
        metadata: [{ source: "notes.pdf", name: "notes.pdf" }],
      },
    ],
  },
  {
    id: "b1",
    parentId: "u1",
    role: "assistant",
    content: "<think>\nHmm.\n</think>\n\nA finch.",
    model: "qwen3:8b",
    modelIdx: 1,
    done: true,
    annotation: { rating: -1 },
  },
  { id: "u2", parentId: "a1", role: "user", content: "Run something", timestamp: 1_720_000_100 },
  {
    id: "a2",
    parentId: "u2",
    role: "assistant",
    content:
      'First.\n<details type="tool_calls" done="true" id="c" name="get_time" arguments="&quot;{}&quot;" result="&quot;12:00&quot;">\n<summary>Tool Executed</summary>\n</details>\nThen <details><summary>more</summary>own</details>.',
    model: "llama3.2:latest",
    done: false,
    timestamp: 1_720_000_101,
    error: { content: "broke" },
  },
]);
