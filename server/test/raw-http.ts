// HTTP by hand: requests that no client library sends, from any loopback address.
import { connect, type Socket } from "node:net";

export interface RawConnection {
  readonly socket: Socket;
  /** What has come back so far, as Latin-1. */
  readonly heard: string;
  readonly closed: boolean;
  send(bytes: string | Uint8Array): void;
  /** Resolves when the connection has ended, with all that came back. */
  ended: Promise<string>;
}

/** Opens a connection. `from` is another loopback address, such as 127.0.0.2. */
export async function openRaw(address: string, from = "127.0.0.1"): Promise<RawConnection> {
  const { port } = new URL(address);
  const socket = connect({ host: "127.0.0.1", port: Number(port), localAddress: from });
  let heard = "";
  let closed = false;
  socket.on("data", (bytes) => {
    heard += bytes.toString("latin1");
  });
  socket.on("error", () => {});
  const ended = new Promise<string>((resolve) =>
    socket.on("close", () => {
      closed = true;
      resolve(heard);
    }),
  );
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", () => resolve());
    socket.once("error", reject);
  });
  return {
    socket,
    ended,
    get heard() {
      return heard;
    },
    get closed() {
      return closed;
    },
    send(bytes) {
      if (!socket.destroyed) socket.write(bytes);
    },
  };
}

/** The head of a POST whose body has `length` bytes; more header lines may be given. */
export function postHead(path: string, length: number, ...lines: string[]): string {
  return [`POST ${path} HTTP/1.1`, "host: x", `content-length: ${length}`, ...lines, "", ""].join("\r\n");
}
