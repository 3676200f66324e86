// Conversations in the form in which ChatGPT exports them. All of it is made up here.

interface Node {
  id: string;
  parent: string | null;
  role: "user" | "assistant" | "system" | "tool";
  content: object;
  at?: number | null;
  metadata?: object;
  recipient?: string;
  name?: string;
}

export const text = (...parts: unknown[]) => ({ content_type: "text", parts });

/** A conversation of these nodes, below a root without a message as every one has. */
export function chatGptConversation(
  nodes: readonly Node[],
  extra: Record<string, unknown> = {},
): Record<string, unknown> {
  const mapping: Record<string, unknown> = {
    root: { id: "root", message: null, parent: null, children: childrenOf("root", nodes) },
  };
  for (const node of nodes) {
    const parent = node.parent ?? "root";
    mapping[node.id] = {
      id: node.id,
      message: {
        id: node.id,
        author: { role: node.role, name: node.name ?? null, metadata: {} },
        create_time: node.at === undefined ? 1_710_000_000.25 : node.at,
        update_time: null,
        content: node.content,
        status: "finished_successfully",
        end_turn: node.role === "assistant" ? true : null,
        weight: 1,
        metadata: node.metadata ?? {},
        recipient: node.recipient ?? "all",
        channel: null,
      },
      parent,
      children: childrenOf(node.id, nodes),
    };
  }
  return {
    title: "A talk",
    create_time: 1_710_000_000.5,
    update_time: 1_710_000_900.75,
    mapping,
    moderation_results: [],
    current_node: nodes.at(-1)?.id ?? "root",
    plugin_ids: null,
    conversation_id: "6f2f0000-0000-4000-8000-000000000001",
    conversation_template_id: null,
    gizmo_id: null,
    is_archived: false,
    safe_urls: [],
    default_model_slug: "gpt-5",
    ...extra,
  };
}

function childrenOf(id: string, nodes: readonly Node[]): string[] {
  return nodes.filter((node) => (node.parent ?? "root") === id).map((node) => node.id);
}

/** With everything that such an export may have. */
export const richConversation = chatGptConversation([
  {
    id: "sys",
    parent: null,
    role: "system",
    content: text(""),
    at: null,
    metadata: { is_visually_hidden_from_conversation: true },
  },
  {
    id: "about",
    parent: "sys",
    role: "user",
    content: { content_type: "user_editable_context", user_profile: "secret", user_instructions: "secret" },
    at: null,
    metadata: { is_visually_hidden_from_conversation: true },
  },
  {
    id: "q1",
    parent: "about",
    role: "user",
    at: 1_710_000_001,
    content: {
      content_type: "multimodal_text",
      parts: [
        {
          content_type: "image_asset_pointer",
          asset_pointer: "file-service://file-abc",
          size_bytes: 1000,
          width: 10,
          height: 10,
        },
        "What is this? 你好",
      ],
    },
    metadata: { attachments: [{ id: "file-abc", name: "cat.png", size: 1000, mime_type: "image/png" }] },
  },
  {
    id: "t1",
    parent: "q1",
    role: "assistant",
    at: 1_710_000_002,
    content: {
      content_type: "thoughts",
      thoughts: [
        { summary: "Looking", content: "I look at it.", chunks: [], finished: true },
        { summary: "Thinking", content: "It may be a cat.", chunks: [], finished: true },
      ],
      source_analysis_msg_id: "x",
    },
    metadata: { model_slug: "gpt-5-thinking" },
  },
  {
    id: "r1",
    parent: "t1",
    role: "assistant",
    at: 1_710_000_003,
    content: { content_type: "reasoning_recap", content: "Thought for 1m 12s" },
  },
  {
    id: "c1",
    parent: "r1",
    role: "assistant",
    at: 1_710_000_004,
    recipient: "python",
    content: { content_type: "code", language: "unknown", text: "print('``` hi')" },
  },
  {
    id: "o1",
    parent: "c1",
    role: "tool",
    name: "python",
    at: 1_710_000_005,
    content: { content_type: "execution_output", text: "``` hi\n" },
  },
  {
    id: "s1",
    parent: "o1",
    role: "assistant",
    at: 1_710_000_006,
    recipient: "web",
    content: { content_type: "code", language: "unknown", text: 'search("cats of today")' },
  },
  {
    id: "f1",
    parent: "s1",
    role: "tool",
    name: "web",
    at: 1_710_000_007,
    content: text(""),
    metadata: {
      search_queries: [{ type: "search", q: "cats" }],
      search_result_groups: [
        {
          type: "search_result_group",
          domain: "example.org",
          entries: [
            {
              type: "search_result",
              url: "https://example.org/cats",
              title: "Cats",
              snippet: "All of them",
              pub_date: 1_700_000_000,
              attribution: "Example",
            },
          ],
        },
      ],
    },
  },
  {
    id: "a1",
    parent: "f1",
    role: "assistant",
    at: 1_710_000_008,
    content: text("A cat\ue200cite\ue202turn0search0\ue201, says one\ue200cite\ue202turn0search9\ue201."),
    metadata: {
      model_slug: "gpt-5-thinking",
      finish_details: { type: "stop" },
      content_references: [
        {
          matched_text: "\ue200cite\ue202turn0search0\ue201",
          start_idx: 5,
          end_idx: 20,
          type: "grouped_webpages",
          items: [
            {
              title: "Cats",
              url: "https://example.org/cats",
              snippet: "All of them",
              attribution: "Example",
            },
            { title: "More", url: "https://example.org/more", snippet: null, attribution: null },
          ],
        },
        { matched_text: " ", start_idx: 0, end_idx: 0, type: "sources_footnote", sources: [] },
      ],
    },
  },
  { id: "q2", parent: "a1", role: "user", at: 1_710_000_100, content: text("Draw it") },
  {
    id: "d1",
    parent: "q2",
    role: "tool",
    name: "dalle.text2im",
    at: 1_710_000_101,
    content: {
      content_type: "multimodal_text",
      parts: [{ content_type: "image_asset_pointer", asset_pointer: "file-service://file-def" }],
    },
  },
  { id: "a2", parent: "d1", role: "assistant", at: 1_710_000_102, content: text("Here it is.") },
  { id: "q2b", parent: "a1", role: "user", at: 1_710_000_200, content: text("Describe it") },
  { id: "a2b", parent: "q2b", role: "assistant", at: 1_710_000_201, content: text("It is small.") },
  {
    id: "a2c",
    parent: "q2b",
    role: "assistant",
    at: 1_710_000_300,
    content: text("It is large."),
    metadata: { model_slug: "gpt-4o", finish_details: { type: "interrupted" } },
  },
]);
