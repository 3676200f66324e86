import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  nextPhase,
  sessionInPhase,
  type TurnChange,
  type TurnOutcome,
  type TurnPhase,
} from "./turn-phase.ts";

const PREPARING: TurnPhase = { name: "preparing" };
const SENT = { name: "sent" } as const;
const STREAMING = { name: "streaming" } as const;
const SEARCHING = { name: "reconnecting", stored: false } as const;
const RESUMING = { name: "reconnecting", stored: true } as const;
const stopping = (beside: Extract<TurnPhase, { name: "stopping" }>["beside"]): TurnPhase => ({
  name: "stopping",
  beside,
});
const ended = (outcome: TurnOutcome): TurnPhase => ({ name: "ended", outcome });

type Simple = Exclude<TurnChange["type"], "end">;

describe("the phases of a turn", () => {
  it.each<[TurnPhase, Simple, TurnPhase]>([
    [PREPARING, "sent", SENT],
    [PREPARING, "ready", PREPARING],
    [PREPARING, "connected", PREPARING],
    [PREPARING, "dropped", PREPARING],
    [PREPARING, "stop", ended("rolled-back")],
    [SENT, "sent", SENT],
    [SENT, "ready", STREAMING],
    [SENT, "connected", SENT],
    [SENT, "dropped", SEARCHING],
    [SENT, "stop", stopping(SENT)],
    [STREAMING, "sent", STREAMING],
    [STREAMING, "ready", STREAMING],
    [STREAMING, "connected", STREAMING],
    [STREAMING, "dropped", RESUMING],
    [STREAMING, "stop", stopping(STREAMING)],
    [SEARCHING, "sent", SEARCHING],
    [SEARCHING, "ready", STREAMING],
    [SEARCHING, "connected", SENT],
    [SEARCHING, "dropped", SEARCHING],
    [SEARCHING, "stop", stopping(SEARCHING)],
    [RESUMING, "sent", RESUMING],
    [RESUMING, "ready", STREAMING],
    [RESUMING, "connected", STREAMING],
    [RESUMING, "dropped", RESUMING],
    [RESUMING, "stop", stopping(RESUMING)],
    [stopping(STREAMING), "sent", stopping(STREAMING)],
    [stopping(SENT), "ready", stopping(STREAMING)],
    [stopping(RESUMING), "connected", stopping(STREAMING)],
    [stopping(STREAMING), "dropped", stopping(RESUMING)],
    [stopping(STREAMING), "stop", stopping(STREAMING)],
    [ended("lost"), "sent", ended("lost")],
    [ended("lost"), "ready", ended("lost")],
    [ended("lost"), "connected", ended("lost")],
    [ended("lost"), "dropped", ended("lost")],
    [ended("lost"), "stop", ended("lost")],
  ])("%j after %s is %j", (phase, type, expected) => {
    expect(nextPhase(phase, { type })).toEqual(expected);
  });

  it.each([PREPARING, SENT, STREAMING, SEARCHING, RESUMING, stopping(STREAMING)])("%j may end", (phase) => {
    expect(nextPhase(phase, { type: "end", outcome: "status" })).toEqual(ended("status"));
  });

  it.each<[TurnPhase, string, string]>([
    [PREPARING, "sending", "live"],
    [SENT, "sending", "live"],
    [STREAMING, "completing", "live"],
    [SEARCHING, "sending", "reconnecting"],
    [RESUMING, "completing", "reconnecting"],
    [stopping(RESUMING), "completing", "reconnecting"],
    [ended("cut"), "idle", "live"],
  ])("the session of a turn that is %j is %s and %s [ENG-050]", (phase, state, connection) => {
    expect(sessionInPhase(phase)).toEqual({ state, connection });
  });

  const outcomes = fc.constantFrom<TurnOutcome>("status", "cut", "lost", "rolled-back", "abandoned");
  const change: fc.Arbitrary<TurnChange> = fc
    .oneof(
      { weight: 12, arbitrary: fc.constantFrom<Simple>("sent", "ready", "connected", "dropped", "stop") },
      { weight: 1, arbitrary: outcomes.map((outcome) => ({ type: "end" as const, outcome })) },
    )
    .map((made) => (typeof made === "string" ? { type: made } : made));
  const isStored = (phase: TurnPhase): boolean =>
    phase.name === "streaming" ||
    (phase.name === "reconnecting" && phase.stored) ||
    (phase.name === "stopping" && isStored(phase.beside));

  it("whatever happens: an end is final, a stop is kept, what was stored stays so, and nothing is unsent", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        let phase: TurnPhase = PREPARING;
        for (const happened of changes) {
          const next = nextPhase(phase, happened);
          if (phase.name === "ended") expect(next).toBe(phase);
          if (phase.name === "stopping") expect(["stopping", "ended"]).toContain(next.name);
          if (next.name === "preparing") expect(phase.name).toBe("preparing");
          if (isStored(phase) && next.name !== "ended") expect(isStored(next)).toBe(true);
          if (happened.type === "stop") expect(["stopping", "ended"]).toContain(next.name);
          expect(nextPhase(next, happened)).toEqual(next);
          phase = next;
        }
      }),
    );
  });
});
