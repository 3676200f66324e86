// The phases of a turn and what leads from one to the next. Pure.
import type { ClientSession } from "../sessions/client-session.ts";

/**
 * How a turn ended for this page.
 * - status: the reply has its end status; a title may still come.
 * - cut: the reply ended without saying so; its text stays.
 * - lost: as cut, and it may be found again.
 * - rolled-back: nothing of the turn is kept.
 * - abandoned: this page reads no more; the reply goes on at the server.
 */
export type TurnOutcome = "status" | "cut" | "lost" | "rolled-back" | "abandoned";

/** A phase in which the server may have the turn. */
type UnderWay =
  /** The request may have reached the server, which has not answered. */
  | { name: "sent" }
  /** The server has stored the turn; its events arrive. */
  | { name: "streaming" }
  /** The connection is lost and looked for. `stored`: ready had come. */
  | { name: "reconnecting"; stored: boolean };

export type TurnPhase =
  /** The session and the proof of work are awaited; nothing of the turn has left the page. */
  | { name: "preparing" }
  | UnderWay
  /** The user asked for a stop. What was under way goes on beside it until the end. */
  | { name: "stopping"; beside: UnderWay }
  | { name: "ended"; outcome: TurnOutcome };

export type TurnChange =
  | { type: "sent" }
  | { type: "ready" }
  | { type: "connected" }
  | { type: "dropped" }
  | { type: "stop" }
  | { type: "end"; outcome: TurnOutcome };

/** The phase after a change; the same object where the change means nothing to it. An ended turn stays ended. */
export function nextPhase(phase: TurnPhase, change: TurnChange): TurnPhase {
  if (phase.name === "ended") return phase;
  if (change.type === "end") return { name: "ended", outcome: change.outcome };
  switch (phase.name) {
    case "preparing":
      if (change.type === "sent") return { name: "sent" };
      // Nothing has left the page: there is nothing to wait for.
      return change.type === "stop" ? { name: "ended", outcome: "rolled-back" } : phase;
    case "stopping": {
      const beside = nextUnderWay(phase.beside, change);
      return beside === phase.beside ? phase : { name: "stopping", beside };
    }
    default:
      return change.type === "stop" ? { name: "stopping", beside: phase } : nextUnderWay(phase, change);
  }
}

function nextUnderWay(phase: UnderWay, change: TurnChange): UnderWay {
  switch (change.type) {
    case "ready":
      return phase.name === "streaming" ? phase : { name: "streaming" };
    case "connected":
      if (phase.name !== "reconnecting") return phase;
      return { name: phase.stored ? "streaming" : "sent" };
    case "dropped":
      return phase.name === "reconnecting"
        ? phase
        : { name: "reconnecting", stored: phase.name === "streaming" };
    default:
      return phase;
  }
}

/** What a session with a turn in this phase shows. */
export function sessionInPhase(phase: TurnPhase): Pick<ClientSession, "state" | "connection"> {
  switch (phase.name) {
    case "preparing":
    case "sent":
      return { state: "sending", connection: "live" };
    case "streaming":
      return { state: "completing", connection: "live" };
    case "reconnecting":
      return { state: phase.stored ? "completing" : "sending", connection: "reconnecting" };
    case "stopping":
      return sessionInPhase(phase.beside);
    case "ended":
      return { state: "idle", connection: "live" };
  }
}
