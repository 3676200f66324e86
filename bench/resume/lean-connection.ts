// An open connection for one call, read with no more work than its text needs: what is measured is the server.
import { once } from "node:events";
import { connect, type Socket } from "node:net";

const HEAD_END = "\r\n\r\n";

export class LeanConnection {
  readonly #socket: Socket;
  readonly #host: string;

  private constructor(socket: Socket, host: string) {
    this.#socket = socket;
    this.#host = host;
  }

  static async open(origin: string): Promise<LeanConnection> {
    const { hostname, port, host } = new URL(origin);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, "connect");
    return new LeanConnection(socket, host);
  }

  /** One small call before the one that counts: the connection is one that is in use, as a page's is. */
  async use(): Promise<void> {
    this.#socket.write(`GET /healthz HTTP/1.1\r\nhost: ${this.#host}\r\n\r\n`);
    for (let answer = ""; !/\r\n\r\n.+/su.test(answer);) {
      const [part] = (await once(this.#socket, "data")) as [Buffer];
      answer += part.toString("latin1");
    }
  }

  /** The body of a call, chunk by chunk in `isWhole` as it comes, until it says that all is there. */
  async post(
    path: string,
    headers: Record<string, string>,
    body: string,
    isWhole: (text: string) => boolean,
  ): Promise<string> {
    const lines = Object.entries({ host: this.#host, "content-length": String(body.length), ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    return new Promise((resolve, reject) => {
      let rest: Buffer = Buffer.alloc(0);
      let begun = false;
      let text = "";
      const settle = (act: () => void): void => {
        this.#socket.off("data", take).off("close", lost);
        act();
      };
      const lost = (): void =>
        settle(() => reject(new Error(`The connection ended after: ${text.slice(-200)}`)));
      const take = (part: Buffer): void => {
        rest = rest.length === 0 ? part : Buffer.concat([rest, part]);
        if (!begun) {
          const end = rest.indexOf(HEAD_END);
          if (end === -1) return;
          const answer = rest.subarray(0, end).toString("latin1").toLowerCase();
          if (!answer.startsWith("http/1.1 200 ") || !answer.includes("transfer-encoding: chunked")) {
            return settle(() =>
              reject(new Error(`It was answered with:\n${rest.toString("latin1", 0, 1000)}`)),
            );
          }
          begun = true;
          rest = rest.subarray(end + HEAD_END.length);
        }
        for (;;) {
          const at = rest.indexOf("\r\n");
          const length = at === -1 ? Number.NaN : Number.parseInt(rest.toString("latin1", 0, at), 16);
          const next = at + 2 + length;
          if (!(rest.length >= next + 2)) break;
          text += rest.toString("utf8", at + 2, next);
          rest = rest.subarray(next + 2);
        }
        if (isWhole(text)) settle(() => resolve(text));
      };
      this.#socket.on("data", take).on("close", lost);
      this.#socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n${body}`);
    });
  }

  async close(): Promise<void> {
    this.#socket.destroy();
    if (!this.#socket.closed) await once(this.#socket, "close");
  }
}
