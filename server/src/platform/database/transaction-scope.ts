// Knows whether the running code stands inside a transaction, and what to tell after its commit.
import { AsyncLocalStorage } from "node:async_hooks";

interface Scope {
  open: boolean;
  afterCommit: (() => void)[];
}

export class TransactionScope {
  #storage = new AsyncLocalStorage<Scope>();

  /** Runs `transact` with `inside` marked as inside the transaction; what was put off is done once it has committed. */
  async run<T>(transact: (inside: <R>(work: () => Promise<R>) => Promise<R>) => Promise<T>): Promise<T> {
    const scope: Scope = { open: true, afterCommit: [] };
    try {
      const result = await transact((work) => this.#storage.run(scope, work));
      scope.open = false;
      for (const action of scope.afterCommit) action();
      return result;
    } finally {
      // Work that the transaction left behind unawaited may use the database again.
      scope.open = false;
    }
  }

  /** Throws where a query outside the transaction would wait for that very transaction. */
  assertOutside(): void {
    if (this.#storage.getStore()?.open === true) {
      throw new Error(
        "The outer database was used inside a transaction: use the transaction that was handed in.",
      );
    }
  }

  /** Does `action` after the commit, or at once outside a transaction. A rollback drops it. */
  afterCommit(action: () => void): void {
    const scope = this.#storage.getStore();
    if (scope?.open === true) scope.afterCommit.push(action);
    else action();
  }
}
