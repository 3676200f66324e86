// A way to a server that can fall silent: connections stay open and new ones are taken, but nothing passes, as with a
// machine that hangs or a network that drops every packet. What was sent meanwhile arrives when it works again.
import { connect, createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

export interface SilentProxy {
  /** The target's URL with the proxy's port. */
  url: string;
  silence(): void;
  speak(): void;
  /** New connections work again; those that were silent stay so. */
  forget(): void;
  close(): Promise<void>;
}

export async function openSilentProxy(target: string): Promise<SilentProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let silent = false;

  function pass(from: Socket, to: Socket): void {
    sockets.add(from);
    from.on("data", (bytes) => to.write(bytes));
    // The other side hears of it by its own end.
    from.on("error", () => to.destroy());
    from.on("close", () => {
      sockets.delete(from);
      to.destroy();
    });
    if (silent) from.pause();
  }

  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    pass(near, far);
    pass(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);

  return {
    url: url.href,
    silence() {
      silent = true;
      for (const socket of sockets) socket.pause();
    },
    speak() {
      silent = false;
      for (const socket of sockets) socket.resume();
    },
    forget() {
      silent = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
