// How a lower feature notifies a higher one. Awaited: when a deletion returns, everyone has done their part.
import type { Trx } from "./platform/database/database.ts";

export interface DomainEvents {
  /** Before the rows go: running replies of these sessions must stop. */
  sessionsDeleting(event: { userId: string; sessionIds: string[] }): Promise<void>;
  /** In the transaction that marks them deleted. */
  sessionsDeleted(event: { userId: string; sessionIds: string[]; trx: Trx }): Promise<void>;
  /** Before the first session of a whole history is deleted; the user is held. What makes more of them ends here. */
  historyDeleting(event: { userId: string; trx: Trx }): Promise<void>;
  /** After the last of its sessions, or none: words of what was deleted that are left to jobs go now. */
  historyWordsLeft(event: { userId: string; signal: AbortSignal }): Promise<void>;
  /** In the transaction that ends the deletion of a user's whole history: what else was made of it goes, too. */
  historyDeleted(event: { userId: string; trx: Trx }): Promise<void>;
  /** Before the account goes: what may be much is deleted, some at a time. Nobody is signed in to it any more. */
  accountDeleting(event: { userId: string }): Promise<void>;
  /** In the transaction that deletes the account: what is left of its owner's goes, too. */
  accountDeleted(event: { userId: string; trx: Trx }): Promise<void>;
  /** A token was revoked: streams opened with it are cut. `tokenHash` null = all of the user's. */
  tokensRevoked(event: { userId: string; tokenHash: string | null }): Promise<void>;
}

type Name = keyof DomainEvents;

/** A registry of subscribers, called in the order of subscription, one after the other. */
export class EventBus {
  #subscribers = new Map<Name, ((event: never) => Promise<void>)[]>();

  on<N extends Name>(name: N, subscriber: DomainEvents[N]): void {
    const list = this.#subscribers.get(name) ?? [];
    list.push(subscriber as (event: never) => Promise<void>);
    this.#subscribers.set(name, list);
  }

  async emit<N extends Name>(name: N, event: Parameters<DomainEvents[N]>[0]): Promise<void> {
    for (const subscriber of this.#subscribers.get(name) ?? []) await subscriber(event as never);
  }
}
