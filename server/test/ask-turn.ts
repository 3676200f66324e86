import { completion } from "@plumb/protocol/wire/turns";
import type { TestClient } from "./test-client.ts";

interface AskedTurn {
  prompt: string;
  /** Id of the message above; null for the first of a session. */
  parent: number | null;
  ref_file_ids?: string[];
  client_stream_id?: string;
}

/** Sends a prompt, and resolves when its reply has ended. */
export async function askTurn(
  person: TestClient,
  session: string,
  { prompt, parent, ...more }: AskedTurn,
): Promise<void> {
  const input = { chat_session_id: session, prompt, parent_message_id: parent, ...more };
  const reply = await person.stream(completion, input);
  await reply.ended;
}
