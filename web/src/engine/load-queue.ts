// The engine's part for queued messages loads with the first of them: most chats do without it.
import { createStore, type StoreApi } from "zustand/vanilla";
import type { AccountPart } from "./accounts/account-lifecycle.ts";
import type { QueueDeps, QueueWork } from "./queue/create-queue.ts";
import type { QueueState } from "./queue/queue-rules.ts";
import { KEPT_QUEUE } from "./sessions/kept-under.ts";
import { sayMissing } from "./say-missing.ts";

/** Brings the code ahead of need. */
export const loadQueue = () => import("./queue/create-queue.ts");

/** `engine.queue`: messages that are sent when the reply before them has ended well. */
export interface Queue {
  store: StoreApi<QueueState>;
  /** Queues what is typed and attached in this chat while a reply is written there; where that can't be, says why. */
  add(key: string): void;
  /** Gives it back to the composer. */
  edit(key: string): void;
  withdraw(key: string): void;
  /** Sends one that was kept. */
  sendNow(key: string): void;
}

export function createQueuePart(deps: Omit<QueueDeps, "store">) {
  const store = createStore<QueueState>(() => ({ byKey: {} }));
  let work: QueueWork | null = null;
  let openFor: string | null = null;

  async function withWork(run: (here: QueueWork) => void): Promise<void> {
    try {
      const { createQueueWork } = await loadQueue();
      work ??= createQueueWork({ ...deps, store });
      run(work);
    } catch (error) {
      sayMissing(deps, "queued messages", error);
    }
  }

  const face: Queue = {
    store,
    add: (key) => void withWork((here) => here.add(key)),
    edit: (key) => void withWork((here) => here.edit(key)),
    withdraw: (key) => void withWork((here) => here.withdraw(key)),
    sendNow: (key) => void withWork((here) => here.sendNow(key)),
  };

  return {
    face,
    /** What this user had queued goes on. */
    open(userId: string | null): void {
      if (userId === null || userId === openFor) return;
      openFor = userId;
      if (deps.browser.storage.get(KEPT_QUEUE) === null) return;
      void withWork((here) => userId === openFor && here.open(userId));
    },
    /** Another tab has queued something, sent it or taken it back. */
    changedElsewhere(): void {
      const isKept = deps.browser.storage.get(KEPT_QUEUE) !== null;
      if (openFor !== null && (work !== null || isKept)) void withWork((here) => here.showStored());
    },
    /** Another tab was closed: what it had queued is sent from here. */
    takeLeft(): void {
      if (openFor === null || deps.browser.storage.get(KEPT_QUEUE) === null) return;
      void withWork((here) => here.lookAtAll());
    },
    clear({ drafts }: Parameters<AccountPart["clear"]>[0]): void {
      openFor = null;
      if (drafts === "remove") deps.browser.storage.remove(KEPT_QUEUE);
      store.setState({ byKey: {} });
    },
    /** Whether what is queued in this chat is sent from here when its reply has ended. */
    sendsFrom: (key: string): boolean => work?.sendsFrom(key) ?? false,
    stop: (): void => work?.stop(),
  };
}
