// How many connections one network may keep open, whatever it does on them.

interface Connection {
  /** Requests that came whole and have no whole answer yet. */
  underWay: number;
  close(): void;
}

export interface OpenConnection {
  /** A request has come whole. Returns what is called once when its answer has ended or is given up. */
  beginRequest(): () => void;
  /** The connection has closed. */
  end(): void;
}

/**
 * Over the limit the connection is closed that has been without a request under way for longest. Half-sent headers are
 * no request under way, so that they do not keep a connection. When all have one, the newcomer is closed.
 */
export class OpenConnections {
  readonly #limit: number;
  /** By network; those without a request under way in the order in which they have been so. */
  readonly #networks = new Map<string, Set<Connection>>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  begin(network: string, close: () => void): OpenConnection {
    const own = this.#networks.get(network) ?? new Set<Connection>();
    this.#networks.set(network, own);
    const one: Connection = { underWay: 0, close };
    const end = (): void => {
      own.delete(one);
      if (own.size === 0 && this.#networks.get(network) === own) this.#networks.delete(network);
    };
    own.add(one);
    if (own.size > this.#limit) {
      // The newcomer is the last of the set and has no request: it is found when no other is.
      for (const other of own) {
        if (other.underWay > 0) continue;
        own.delete(other);
        other.close();
        break;
      }
    }
    return {
      beginRequest: () => {
        one.underWay += 1;
        let ended = false;
        return () => {
          if (ended) return;
          ended = true;
          one.underWay -= 1;
          if (one.underWay > 0 || !own.delete(one)) return;
          own.add(one);
        };
      },
      end,
    };
  }
}
