// What an own export says of a conversation, reading it says again: so an export of what was imported is the same but for ids.
import type { Message } from "@plumb/protocol/conversation/message";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { buildSession } from "./reading/build-session.ts";
import { importTexts } from "./reading/import-texts.ts";
import { readerOf } from "./reading/reader-of.ts";

const NOW = 1_760_000_000_000;
const text = fc
  .string({ unit: "grapheme", maxLength: 40 })
  .map((any) => any.replaceAll("\0", "").toWellFormed());
const secs = fc.integer({ min: 1, max: NOW }).map((ms) => ms / 1000);
const stage = { stage_id: 1, references: [] };
const result = fc.record({
  url: fc.webUrl(),
  title: text,
  snippet: text,
  cite_index: fc.option(fc.integer({ min: 1, max: 200 })),
  site_name: fc.option(text.filter((name) => name !== "")),
  site_icon: fc.constantFrom(null, "data:image/png;base64,AAAA"),
  published_at: fc.option(fc.integer({ min: 1, max: NOW / 1000 })),
  query_indexes: fc.array(fc.nat(5), { maxLength: 3 }),
});
/** What a reply is made of; parts of one kind do not follow each other. */
const parts = fc.uniqueArray(
  fc.oneof(
    fc
      .record({ type: fc.constant("THINK"), content: text, elapsed_secs: fc.option(fc.nat(600)) })
      .map((part) => ({ ...part, ...stage })),
    fc
      .record({
        queries: fc.array(
          fc.record({
            query: text,
            status: fc.constantFrom("FINISHED", "FAILED"),
            results: fc.array(result, { maxLength: 2 }),
          }),
          { maxLength: 2 },
        ),
        results: fc.array(result, { maxLength: 3 }),
        status: fc.constantFrom("FINISHED", "FAILED"),
      })
      .map((part) => ({ type: "SEARCH", content: null, ...part, ...stage })),
    fc.record({ type: fc.constant("RESPONSE"), content: text }).map((part) => ({ ...part, ...stage })),
    fc.record({ type: fc.constant("TEMPLATE_RESPONSE"), content: text }),
    fc.record({
      type: fc.constant("TIP"),
      content: text,
      style: fc.constantFrom("INFO", "WARNING"),
      hide_on_wip: fc.boolean(),
      category: fc.constantFrom(null, "LEGAL"),
    }),
  ),
  { maxLength: 4, selector: ({ type }) => type },
);

/** Turns that take turns: each is below one before it, or a root. */
const messages = fc
  .array(
    fc.record({
      parent: fc.nat(20),
      prompt: text,
      parts,
      at: secs,
      status: fc.constantFrom("FINISHED", "INCOMPLETE", "TIMEOUT"),
      model: fc.constantFrom("", "a-model"),
      flags: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
      feedback: fc.constantFrom(null, { feedback_type: "BAD", feedback_tag: null, description: "no" }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((turns) => {
    const made: Partial<Message>[] = [];
    let last = 0;
    for (const [index, turn] of turns.entries()) {
      const below = index === 0 ? null : (made[2 * (turn.parent % (index + 1)) - 1] ?? null);
      last = Math.max(last, turn.at);
      const common = { inserted_at: last, thinking_enabled: turn.flags[0], search_enabled: turn.flags[1] };
      made.push({
        ...common,
        message_id: 3 * index + 1,
        parent_id: below?.message_id ?? null,
        role: "USER",
        status: "FINISHED",
        fragments: [{ id: 1, type: "REQUEST", content: turn.prompt }],
        model: "",
        feedback: null,
        ban_regenerate: false,
        ban_edit: turn.flags[2],
      });
      made.push({
        ...common,
        message_id: 3 * index + 2,
        parent_id: 3 * index + 1,
        role: "ASSISTANT",
        status: turn.status as Message["status"],
        ...(turn.status === "INCOMPLETE" && turn.flags[1] ? { stopped: true } : {}),
        fragments: turn.parts.map((part, at) => ({ ...part, id: at + 2 })) as Message["fragments"],
        model: turn.model,
        feedback: turn.feedback as Message["feedback"],
        ban_regenerate: turn.flags[2],
        ban_edit: false,
      });
    }
    return made;
  });

it("is the same that was exported, whatever was said", async () => {
  await fc.assert(
    fc.asyncProperty(messages, fc.nat(100), secs, async (chat, shown, changed) => {
      const current = chat[(2 * shown + 1) % chat.length]?.message_id ?? 0;
      const session = {
        id: crypto.randomUUID(),
        title: "A title",
        title_type: "USER",
        agent: "coder",
        character_id: "a-persona",
        version: 7,
        pinned: true,
        current_message_id: current,
        inserted_at: 0.001,
        updated_at: changed,
      };
      const value = JSON.parse(JSON.stringify({ chat_session: session, chat_messages: chat })) as unknown;
      const reader = readerOf(value);
      if (reader === null) throw new Error("not read");
      const built = await buildSession(reader.read(value, NOW, importTexts("en_US")), {
        now: NOW,
        mostMessages: 100,
      });
      expect(built.session).toEqual({
        title: "A title",
        titleType: "USER",
        agent: "coder",
        character: "a-persona",
        version: 7,
        pinned: true,
        current,
        insertedAt: 1,
        updatedAt: Math.round(changed * 1000),
        messages: chat.length,
      });
      const again = built.messages.map(({ record, fragments }) => ({
        message_id: record.id,
        parent_id: record.parent,
        role: record.role,
        status: record.status,
        fragments: JSON.parse(fragments.toString()) as unknown,
        model: record.model,
        feedback: record.feedback,
        thinking_enabled: record.thinking,
        search_enabled: record.search,
        ban_regenerate: record.banRegenerate,
        ban_edit: record.banEdit,
        ...(record.stopped ? { stopped: true } : {}),
        inserted_at: record.insertedAt / 1000,
      }));
      expect(again).toEqual(chat);
    }),
    { numRuns: 150 },
  );
});
