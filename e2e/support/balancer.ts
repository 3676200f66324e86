// A small round-robin balancer: connections go in turn to the servers whose /readyz says 200; cuts stay cuts.
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface Served {
  method: string;
  path: string;
  /** Of the server that got it. */
  port: number;
}

export interface Balancer {
  origin: string;
  /** Every request in order of arrival. */
  served: Served[];
  /** Ports of the servers that are ready now. */
  ready(): number[];
  close(): Promise<void>;
}

const probeEveryMs = 50;
const probeLimitMs = 500;
/** On a busy machine no server may answer its probe in time for a moment: a connection waits this long for one. */
const waitForServerMs = 10_000;
const nobody =
  "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nretry-after: 1\r\nconnection: close\r\n\r\n";

/** Starts a balancer on a free loopback port and waits until one server is ready. */
export async function startBalancer(ports: number[]): Promise<Balancer> {
  const served: Served[] = [];
  const ready = new Set<number>();
  const sockets = new Set<Socket>();
  let turn = 0;

  async function probe(port: number): Promise<void> {
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`, {
      signal: AbortSignal.timeout(probeLimitMs),
    })
      .then((response) => response.status === 200)
      .catch(() => false);
    if (isReady) ready.add(port);
    else ready.delete(port);
  }

  function nextPort(): number | undefined {
    const able = ports.filter((port) => ready.has(port));
    turn += 1;
    return able[turn % Math.max(1, able.length)];
  }

  function pass(client: Socket, since = Date.now()): void {
    const port = nextPort();
    if (port === undefined) {
      if (client.destroyed) return;
      if (Date.now() - since >= waitForServerMs) client.end(nobody);
      else setTimeout(() => pass(client, since), probeEveryMs);
      return;
    }
    const server = connect({ host: "127.0.0.1", port, noDelay: true });
    let connected = false;
    server.once("connect", () => {
      connected = true;
      client.on("data", (chunk) => note(chunk, port));
      client.pipe(server);
      server.pipe(client);
    });
    server.on("error", () => {
      if (connected) return client.resetAndDestroy();
      // It died since the last probe: the connection goes to another one.
      ready.delete(port);
      pass(client, since);
    });
    server.on("close", (hadError) => {
      if (connected && !hadError) client.destroySoon();
    });
    client.on("error", () => server.resetAndDestroy());
    client.on("close", () => server.destroy());
  }

  function note(chunk: Buffer, port: number): void {
    const line = /^(GET|POST) ([^ ?]+)[^ ]* HTTP\/1\.1\r\n/.exec(chunk.subarray(0, 500).toString("latin1"));
    if (line) served.push({ method: line[1] ?? "", path: line[2] ?? "", port });
  }

  const listener = createServer({ noDelay: true }, (client) => {
    sockets.add(client);
    client.on("close", () => sockets.delete(client));
    pass(client);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  await Promise.all(ports.map(probe));
  const timer = setInterval(() => void Promise.all(ports.map(probe)), probeEveryMs);

  return {
    origin: `http://127.0.0.1:${port}`,
    served,
    ready: () => [...ready],
    async close() {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
