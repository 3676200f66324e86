// The server with another build of the page in front of it: the same page, its files under other names.
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { readdirSync } from "node:fs";

export interface TwoBuilds {
  origin: string;
  /** Which build it serves; the files of the other one are gone. */
  build: "a" | "b";
  /** Away: connections are refused and open ones end. */
  away: boolean;
  /** `sw.js` is not found. */
  withoutWorker: boolean;
  /** Paths of the files of the page that were asked for, in their order. */
  asked: string[];
  close(): Promise<void>;
}

const mark = "~b";
const assets = readdirSync(new URL("../../web/dist/static/assets/", import.meta.url)).filter((name) =>
  /\.(js|css)$/.test(name),
);
const named = new RegExp(assets.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "g");

/** The names of all files of a text as the second build has them. */
function asOfB(text: string): string {
  return text.replace(named, (name) => name.replace(/(?=\.\w+$)/, mark)).replace(/\bid:("|'|`)/, "id:$1b");
}

/** Whether a path has the names of files in it, or is one of them. */
function isOfPage(path: string): boolean {
  return (
    path === "/sw.js" || /^\/static\/assets\/.*\.(js|css)$/.test(path) || !/^\/(api|static)\/|\./.test(path)
  );
}

export async function startTwoBuilds(targetPort: () => number): Promise<TwoBuilds> {
  const sockets = new Set<Socket>();
  const state = { build: "a" as "a" | "b", away: false, withoutWorker: false };
  const asked: string[] = [];

  function serve(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const url = incoming.url ?? "/";
    const [path = "/"] = url.split("?");
    const isAsset = path.startsWith("/static/assets/") && /\.(js|css)$/.test(path);
    if (isAsset) asked.push(path);
    const isMissing =
      (isAsset && path.includes(mark) !== (state.build === "b")) ||
      (path === "/sw.js" && state.withoutWorker);
    if (isMissing) return void outgoing.writeHead(404, { "content-type": "text/plain" }).end("Not found\n");
    const rewritten = state.build === "b" && isOfPage(path);
    const headers = { ...incoming.headers };
    if (rewritten)
      for (const name of ["accept-encoding", "if-none-match", "if-modified-since"]) delete headers[name];
    const asking = request(
      {
        host: "127.0.0.1",
        port: targetPort(),
        path: url.replace(mark, ""),
        method: incoming.method,
        headers,
      },
      (answer) => {
        if (!rewritten) {
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
          return void answer.pipe(outgoing);
        }
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () => {
          const { "content-length": _length, etag: _etag, ...kept } = answer.headers;
          outgoing.writeHead(answer.statusCode ?? 500, kept);
          outgoing.end(asOfB(Buffer.concat(chunks).toString("utf8")));
        });
      },
    );
    asking.on("error", () => outgoing.destroy());
    outgoing.on("close", () => asking.destroy());
    incoming.pipe(asking);
  }

  const server = createServer(serve);
  server.on("connection", (socket) => {
    if (state.away) return void socket.destroy();
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    origin: `http://127.0.0.1:${port}`,
    asked,
    get build() {
      return state.build;
    },
    set build(build) {
      state.build = build;
    },
    get away() {
      return state.away;
    },
    set away(away) {
      state.away = away;
      if (away) for (const socket of sockets) socket.destroy();
    },
    get withoutWorker() {
      return state.withoutWorker;
    },
    set withoutWorker(without) {
      state.withoutWorker = without;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
