// The call that begins a turn's reply, and its repeats.
import { RequestHeader } from "@plumb/protocol/wire/headers";
import type { InputOf } from "@plumb/protocol/wire/call";
import { completion, continueMessage, editMessage, regenerate } from "@plumb/protocol/wire/turns";
import type { ApiClient, CallOptions, StreamAnswer } from "../api-client.ts";
import type { Proof, ProofOfWork } from "../guard/proof-of-work.ts";
import type { OnHeld, ReplyRequest } from "../replies/follow-reply.ts";

type Fields<C> = Omit<InputOf<C>, "chat_session_id">;

/** The session is filled in when it is known. */
export type TurnCall =
  | { kind: "completion"; fields: Fields<typeof completion> & { client_stream_id: string } }
  | { kind: "regenerate"; fields: Fields<typeof regenerate> & { client_stream_id: string } }
  | { kind: "edit_message"; fields: Fields<typeof editMessage> & { client_stream_id: string } }
  | { kind: "continue"; fields: Pick<InputOf<typeof continueMessage>, "message_id"> };

/** Whether the call costs a proof of work (wire-contract.md §2.2). */
export function needsProof(call: TurnCall): boolean {
  return call.kind !== "continue";
}

/** The id by which the server recognises a repeat of the call; null for the call that has none. */
export function clientStreamIdOf(call: TurnCall | null): string | null {
  return call === null || call.kind === "continue" ? null : call.fields.client_stream_id;
}

/** The model that the call names; "" for the default one. */
export function modelOf(call: TurnCall | null): string {
  return call === null || call.kind === "continue" ? "" : (call.fields.model ?? "");
}

/**
 * The request for a call. Its first opening spends `proof`; a repeat takes another one, since the first may have
 * arrived, and a repeated continue asks for what the first one may have begun (wire-contract.md §4.9).
 */
export function requestFor(
  { api, proofs }: { api: ApiClient; proofs: ProofOfWork },
  call: TurnCall,
  { sessionId, proof }: { sessionId: string; proof: Proof | null },
): ReplyRequest {
  let unspent = proof;
  let isRepeat = false;

  async function open(signal: AbortSignal, onHeld: OnHeld): Promise<StreamAnswer> {
    const fallbackToResume = isRepeat;
    isRepeat = true;
    const session = { chat_session_id: sessionId };
    if (call.kind === "continue") {
      const input = { ...session, ...call.fields, fallback_to_resume: fallbackToResume };
      return api.openStream(continueMessage, input, { signal, onHeld });
    }
    const mine = unspent ?? (await proofs.take());
    unspent = null;
    if (signal.aborted) return { kind: "error", error: { kind: "aborted" } };
    if (!mine.ok) return { kind: "error", error: mine.error ?? { kind: "network", reason: "no proof" } };
    const options: CallOptions = { signal, onHeld, headers: { [RequestHeader.PowResponse]: mine.header } };
    switch (call.kind) {
      case "completion":
        return api.openStream(completion, { ...session, ...call.fields }, options);
      case "regenerate":
        return api.openStream(regenerate, { ...session, ...call.fields }, options);
      case "edit_message":
        return api.openStream(editMessage, { ...session, ...call.fields }, options);
    }
  }

  return { clientStreamId: clientStreamIdOf(call), open };
}
