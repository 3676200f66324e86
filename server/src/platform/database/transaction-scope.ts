// Knows whether the running code is inside a transaction, and keeps what is to be done after its commit.
import { AsyncLocalStorage } from "node:async_hooks";

interface Scope {
  open: boolean;
  afterCommit: (() => void)[];
}

export class TransactionScope {
  #storage = new AsyncLocalStorage<Scope>();

  /** Runs `transact`; work that it wraps in `inside` counts as inside the transaction. Runs the deferred actions after the commit. */
  async run<T>(transact: (inside: <R>(work: () => Promise<R>) => Promise<R>) => Promise<T>): Promise<T> {
    const scope: Scope = { open: true, afterCommit: [] };
    try {
      const result = await transact((work) => this.#storage.run(scope, work));
      scope.open = false;
      for (const action of scope.afterCommit) action();
      return result;
    } finally {
      // Work that the transaction started and did not await may use the database again.
      scope.open = false;
    }
  }

  /** Throws inside a transaction, where a query on the database itself would wait for that transaction for ever. */
  assertOutside(): void {
    if (this.#storage.getStore()?.open === true) {
      throw new Error(
        "The outer database was used inside a transaction: use the transaction that was handed in.",
      );
    }
  }

  /** Runs `action` after the commit, or at once outside a transaction. A rollback drops it. */
  afterCommit(action: () => void): void {
    const scope = this.#storage.getStore();
    if (scope?.open === true) scope.afterCommit.push(action);
    else action();
  }
}
