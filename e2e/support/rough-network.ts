// A TCP proxy between browser and server that behaves like a bad connection.
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface Weather {
  /** Milliseconds that every piece of the server's answers is late. */
  delayMs: number;
  /** The server's answers come in pieces of so many bytes; 0: as sent. */
  splitBytes: number;
  /** New connections are refused and open ones carry nothing. */
  down: boolean;
  /** Connections stay open and carry nothing either way. */
  frozen: boolean;
}

export interface RoughNetwork {
  origin: string;
  weather: Weather;
  /** Connections that were refused so far because the network was down. */
  readonly refused: number;
  /** Ends every open connection in the middle of what it carries. */
  cut(how: "end" | "reset"): void;
  close(): Promise<void>;
}

/** Starts a proxy on a free loopback port for the server at `targetPort`. */
export async function startRoughNetwork(targetPort: () => number): Promise<RoughNetwork> {
  const weather: Weather = { delayMs: 0, splitBytes: 0, down: false, frozen: false };
  let refused = 0;
  const pairs = new Set<{ client: Socket; server: Socket }>();

  async function deliver(client: Socket, chunk: Buffer): Promise<void> {
    if (weather.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, weather.delayMs));
    const size = weather.splitBytes > 0 ? weather.splitBytes : chunk.length;
    for (let start = 0; start < chunk.length && !client.destroyed; start += size) {
      client.write(chunk.subarray(start, start + size));
      // Without a pause the system would join the pieces again.
      if (weather.splitBytes > 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  const listener = createServer({ noDelay: true }, (client) => {
    client.on("error", () => client.destroy());
    if (weather.down) {
      refused += 1;
      client.resetAndDestroy();
      return;
    }
    const server = connect({ host: "127.0.0.1", port: targetPort(), noDelay: true });
    const pair = { client, server };
    pairs.add(pair);
    let order = Promise.resolve();
    client.on("data", (chunk) => void (weather.frozen || server.write(chunk)));
    server.on("data", (chunk: Buffer) => {
      if (!weather.frozen) order = order.then(() => deliver(client, chunk));
    });
    server.on("end", () => void order.then(() => client.end()));
    server.on("error", () => client.resetAndDestroy());
    client.on("close", () => {
      pairs.delete(pair);
      server.destroy();
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;

  function cut(how: "end" | "reset"): void {
    for (const { client, server } of [...pairs]) {
      server.destroy();
      if (how === "reset") client.resetAndDestroy();
      else client.destroy();
    }
  }

  return {
    origin: `http://127.0.0.1:${port}`,
    weather,
    get refused() {
      return refused;
    },
    cut,
    async close() {
      cut("end");
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
