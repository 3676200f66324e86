// The worst that is known, and small files of the same kinds.
import { randomInt } from "node:crypto";
import {
  chatGptConversation,
  text,
} from "../../server/src/adapters/conversation-reader/testing/chatgpt-export.fixture.ts";
import { pdf, pdfOf, stream } from "../../server/src/adapters/document-reader/testing/pdf-writer.fixture.ts";
import { writeZip } from "../../server/src/platform/zip/write-zip.ts";

const font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>";
const page =
  "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>";

/** A page that opens 77,000 states of its drawing and closes none: 154 KB, on which the reader works until it is ended. */
export const slowPdf = {
  name: "slow.pdf",
  content: pdfOf([
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Count 1/Kids[3 0 R]>>",
    page,
    stream(`${"q ".repeat(77_000)}BT /F 12 Tf (slow) Tj ET`),
    font,
  ]),
};

export const smallPdf = { name: "small.pdf", content: pdf([["A few words of a newcomer."]]) };

const letters = Array.from({ length: 20_000 }, () => String.fromCodePoint(97 + randomInt(26))).join("");

/** Conversations in one word without an end, each begun at another letter: small when packed, and slow to count the tokens of. */
async function importOf(conversations: number, messages: number, chars: number) {
  const talks = Array.from({ length: conversations }, (_, talk) => {
    const nodes = Array.from({ length: messages }, (_none, at) => {
      const from = (talk * messages + at) * 7;
      const words = letters
        .repeat(3)
        .slice(from % letters.length)
        .slice(0, chars);
      return {
        id: `n${at}`,
        parent: at === 0 ? null : `n${at - 1}`,
        role: at % 2 === 0 ? ("user" as const) : ("assistant" as const),
        content: text(words),
      };
    });
    const id = `6f2f0000-0000-4000-8000-${String(talk).padStart(12, "0")}`;
    return chatGptConversation(nodes, { conversation_id: id, title: `Talk ${talk}` });
  });
  async function* entries() {
    yield { name: "conversations.json", changedAt: 0, content: [JSON.stringify(talks)] };
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of writeZip(entries())) pieces.push(Uint8Array.from(piece));
  return Buffer.concat(pieces);
}

export const slowImport = { name: "slow.zip", content: await importOf(200, 10, 30_000) };
export const smallImport = { name: "small.zip", content: await importOf(2, 4, 60) };
