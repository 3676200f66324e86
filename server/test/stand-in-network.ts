// A network of its own for guarded fetches: names that resolve as a test says, and public addresses that lead to servers
// of the test. Every other address leads to a trap, which notices.
import { createServer, type RequestListener } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { buildConnector } from "undici";
import type { Network } from "../src/platform/http/guarded-network.ts";

/** Belong to nobody's network here: nothing but the stand-in is ever dialled for them. */
export const PUBLIC_V4 = "93.184.215.14";
export const PUBLIC_V6 = "2606:2800:21f:cb07:6820:80da:af6b:8b2c";

export interface StandInNetwork extends Network {
  /** What names resolve to, one list after the other; the last one stays. A name that is absent does not exist. */
  readonly names: Map<string, string[][]>;
  /** Names that were asked for. */
  readonly asked: string[];
  /** Addresses that sockets were opened to. */
  readonly dialled: string[];
  /** Connections that came to the trap. */
  readonly trapped: () => number;
  /** Addresses at which nobody listens. */
  readonly dead: Set<string>;
  close(): Promise<void>;
}

/** `serve` answers at every public address, for every name, on both ports, without TLS. */
export async function openStandInNetwork(serve: RequestListener): Promise<StandInNetwork> {
  let trapped = 0;
  const trap = createTcpServer((socket) => {
    trapped += 1;
    socket.on("error", () => {});
    socket.end("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret");
  });
  const site = createServer(serve);
  const ports = await Promise.all(
    [trap, site].map(
      (server) =>
        new Promise<number>((resolve) =>
          server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)),
        ),
    ),
  );
  const [trapPort = 0, sitePort = 0] = ports;
  const dial = buildConnector({ timeout: 3000, allowH2: false });
  const names = new Map<string, string[][]>();
  const asked: string[] = [];
  const dialled: string[] = [];
  const dead = new Set<string>();
  return {
    names,
    asked,
    dialled,
    dead,
    trapped: () => trapped,
    async resolve(name) {
      asked.push(name);
      const answers = names.get(name);
      const answer = answers?.length === 1 ? answers[0] : answers?.shift();
      if (answer === undefined)
        throw Object.assign(new Error(`no such name: ${name}`), { code: "ENOTFOUND" });
      return answer;
    },
    connect(options, callback) {
      dialled.push(options.hostname);
      const isPublic = [PUBLIC_V4, PUBLIC_V6].includes(options.hostname);
      const port = dead.has(options.hostname) ? 1 : isPublic ? sitePort : trapPort;
      dial({ ...options, protocol: "http:", hostname: "127.0.0.1", port: String(port) }, callback);
    },
    async close() {
      site.closeAllConnections();
      await Promise.all([trap, site].map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}
