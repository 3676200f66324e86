// Makes a verification code and sends it, by mail or by text message (wire-contract.md §7.4, §7.5).
import { LIMITS } from "@plumb/protocol/limits";
import type { RefusalCode } from "@plumb/protocol/wire/call";
import type { CodeSent } from "@plumb/protocol/wire/verification-codes";
import type { Database } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/logger.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { CodeRequest, RateLimits } from "../guard/rate-limit.ts";
import type { CodeKey } from "./verification-code-store.ts";
import { type CodeRequester, makeCode, storeCode } from "./verification-codes.ts";

export interface CodeOrder {
  key: CodeKey;
  deviceId: string | null;
  requester: CodeRequester;
  /**
   * "told": the answer waits for the sending and tells whether it worked. "untold": it is sent after the answer, which is
   * then the same, after the same work, as with "nobody", where nothing is sent: neither tells whether there is an account.
   */
  delivery: "told" | "untold" | "nobody";
  /** What sends it: an outbox is on this machine and costs nobody a message. */
  sender: { kind: string };
  /** Hands the code over; throws when it could not. */
  send(code: string): Promise<void>;
  tooFrequent: RefusalCode;
  notSent: RefusalCode;
  log: Logger;
}

export class CodeSender {
  #deps: { db: Database; rates: RateLimits; codeKey: Uint8Array };
  #underWay = new Set<Promise<void>>();
  /** Until when it is known, and logged, that the hour's messages are used up. */
  #usedUpUntil = { strangers: 0, known: 0 };

  constructor(deps: { db: Database; rates: RateLimits; codeKey: Uint8Array }) {
    this.#deps = deps;
  }

  /**
   * Sends a code. Throws `tooFrequent` with the seconds left when the requester has had its code of this minute, or its own
   * or the target's codes of this day, and `notSent` when it could not be sent or the server's messages of the hour are
   * used up.
   *
   * It is counted before it is sent, so that of two who ask at once one sends, and it is good only once it was sent. Until
   * then the code before stays good with the tries it has had, and a code that came to nothing could not be guessed: so its
   * count is given back. Sending may take half a minute: no transaction waits for it. Where two sends overlap the code that
   * was sent last is the good one. A crash between sending and storing costs this code and its count, no more.
   *
   * With an "untold" delivery the code is stored first and its count is kept, because both could be seen from outside.
   */
  async send(order: CodeOrder, nowMs: number): Promise<CodeSent> {
    const { db, codeKey } = this.#deps;
    const { key, deviceId, requester, delivery } = order;
    await this.#count(order, nowMs);
    const code = makeCode();
    if (delivery === "told") {
      await this.#handOver(order, code, nowMs);
      await storeCode(db.kysely, codeKey, key, { code, deviceId, requester }, nowMs);
    } else {
      const stored = delivery === "untold" ? code : null;
      await storeCode(db.kysely, codeKey, key, { code: stored, deviceId, requester }, nowMs);
      if (delivery === "untold") this.#handOverLater(order, code, nowMs);
    }
    return { send_window_secs: LIMITS.codeSendWindowSecs };
  }

  /** Resolves when all that is sent after its answer was sent, or could not be. */
  async settle(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** Counts the code and its message, or throws and counts neither. */
  async #count(order: CodeOrder, nowMs: number): Promise<void> {
    const { db, rates } = this.#deps;
    const { delivery, tooFrequent, notSent } = order;
    const request = requestOf(order);
    await db.transaction(async (trx) => {
      const waitMs = await rates.countCode(trx, request, nowMs);
      if (waitMs !== null)
        throw new Refusal(tooFrequent, { send_window_secs: Math.max(1, Math.ceil(waitMs / 1000)) });
      if (!leavesServer(order)) return;
      const count = delivery === "nobody" ? rates.waitForMessage : rates.countMessage;
      const untilMs = await count.call(rates, trx, request.isKnown, nowMs);
      if (untilMs === null) return;
      this.#logUsedUp(order.log, request.isKnown, untilMs, nowMs);
      throw new Refusal(notSent);
    });
  }

  /** Once in each window, and once more where the share of known browsers is used up, too. */
  #logUsedUp(log: Logger, isKnown: boolean, untilMs: number, nowMs: number): void {
    const who = isKnown ? "known" : "strangers";
    if (this.#usedUpUntil[who] > nowMs) return;
    this.#usedUpUntil[who] = nowMs + untilMs;
    const left = isKnown ? "nobody gets one" : "only browsers that their account knows get one";
    log.warn(
      `The mails and texts of this hour are used up (message_server_hour of RATE_LIMITS): ${left} for ${Math.ceil(untilMs / 60_000)} min.`,
    );
  }

  async #handOver(order: CodeOrder, code: string, nowMs: number): Promise<void> {
    const { db, rates } = this.#deps;
    try {
      await order.send(code);
    } catch (error) {
      order.log.error({ err: error }, "verification code not sent");
      const request = requestOf(order);
      await db.transaction(async (trx) => {
        if (order.delivery === "told") await rates.uncountCode(trx, request, nowMs);
        if (leavesServer(order)) await rates.uncountMessage(trx, request.isKnown, nowMs);
      });
      throw new Refusal(order.notSent);
    }
  }

  #handOverLater(order: CodeOrder, code: string, nowMs: number): void {
    const sending = this.#handOver(order, code, nowMs)
      .catch((error: unknown) => {
        // That it was not sent is logged by then.
        if (!(error instanceof Refusal)) order.log.error({ err: error }, "a code's count was not given back");
      })
      .finally(() => this.#underWay.delete(sending));
    this.#underWay.add(sending);
  }
}

const leavesServer = ({ sender }: CodeOrder): boolean => sender.kind !== "outbox";

function requestOf({ key: { channel, target }, requester: { device, site } }: CodeOrder): CodeRequest {
  return { channel, target, requester: device ?? site, isKnown: device !== null };
}
