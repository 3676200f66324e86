// The program of isolated-process.test.ts: does the deed that its first word names.
import { ChildProcess, fork, spawnSync } from "node:child_process";
import dgram from "node:dgram";
import dns, { resolve4 } from "node:dns";
import { lookup, Resolver } from "node:dns/promises";
import { openSync, readdirSync, readFileSync, readSync, writeFileSync, writeSync } from "node:fs";
import http from "node:http";
import http2 from "node:http2";
import inspector from "node:inspector";
import { createRequire } from "node:module";
import net from "node:net";
import os from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import v8 from "node:v8";
import { Worker } from "node:worker_threads";

const [deed, ...words] = process.argv.slice(2);
const internal = process as unknown as Record<string, (...given: unknown[]) => unknown>;
type Handle = Record<string, (...given: unknown[]) => unknown>;
type HandleClass = new (kind?: number) => Handle;
// What restrict-process.ts made is still being closed now.
const leftHandles = internal["_getActiveHandles"]?.() as object[];

/** The native class of pipes: each process has some of its own, which a socket opens by their number. */
function pipeClass(): HandleClass {
  for (let fd = 5; fd < 64; fd += 1) {
    try {
      const socket = new net.Socket({ fd, readable: false, writable: false });
      const { constructor: found } = (socket as unknown as { _handle: object })._handle;
      if (found.name === "Pipe") return found as HandleClass;
    } catch {
      // Not open, or nothing that a socket can be made of.
    }
  }
  throw new Error("no pipe is open");
}

function datagramClass(): HandleClass {
  const found = leftHandles.find((handle) => handle.constructor.name === "UDP");
  if (found === undefined) throw new Error("no datagram handle is left");
  return found.constructor as HandleClass;
}

/** "refused" for what throws or reports a denial, by the code where it has one of Node's permissions. */
async function outcomeOf(act: () => unknown): Promise<string> {
  try {
    await act();
    return "allowed";
  } catch (error) {
    const { code, cause } = error as { code?: string; cause?: { code?: string } };
    return code === "ERR_ACCESS_DENIED" || cause?.code === "ERR_ACCESS_DENIED"
      ? "denied"
      : `failed: ${code ?? String(error)}`;
  }
}

async function tell(acts: Record<string, () => unknown>): Promise<void> {
  const found: Record<string, string> = {};
  for (const [name, act] of Object.entries(acts)) found[name] = await outcomeOf(act);
  writeSync(4, JSON.stringify(found));
}

/** Resolves when it is connected; rejects with why it is not. */
const connected = (socket: NodeJS.EventEmitter, event = "connect") =>
  new Promise((resolve, reject) => {
    socket.once(event, resolve).once("error", reject);
  });

const deeds: Record<string, () => unknown> = {
  copy() {
    const buffer = Buffer.alloc(100);
    writeSync(4, buffer.subarray(0, readSync(3, buffer)));
  },
  environment() {
    // What the shell and the runtime put there themselves is no secret.
    const own = ["PWD", "SHLVL", "_", "OLDPWD"];
    const rest = Object.entries(process.env).filter(([name]) => !own.includes(name));
    writeSync(4, JSON.stringify(Object.fromEntries(rest)));
  },
  async files() {
    const [file = "", folder = ""] = words;
    const memory = `/proc/${process.ppid}/mem`;
    await tell({
      read: () => readFileSync(file),
      write: () => writeFileSync(join(folder, "new"), ""),
      list: () => readdirSync(folder),
      memory: () => openSync(memory, "r+"),
      ownMemory: () => openSync("/proc/self/mem", "r+"),
      heapSnapshot: () => v8.writeHeapSnapshot(join(folder, "heap")),
      flagsOfV8: () => v8.setFlagsFromString(`--redirect-code-traces-to=${join(folder, "traces")}`),
      report: () => process.report.writeReport(join(folder, "report")),
      sqlite() {
        if (process.getBuiltinModule("node:sqlite") === undefined)
          throw Object.assign(new Error(), { code: "ERR_ACCESS_DENIED" });
      },
    });
  },
  async processes() {
    const [victim = ""] = words;
    const pid = Number(victim);
    const childHandle = () => (new ChildProcess() as unknown as { _handle: Handle })._handle;
    await tell({
      program: () => spawnSync("/bin/true"),
      fork: () => fork(process.argv[1] ?? ""),
      thread: () => new Worker("", { eval: true }),
      kill: () => process.kill(pid, "SIGKILL"),
      killGroup: () => process.kill(0, "SIGKILL"),
      // Of a number that nobody chose: 0 asks only whether there is such a process.
      handleKill: () => childHandle()["kill"]?.(0),
      stolenKill() {
        const { call } = Function.prototype;
        let stolen: ((...given: unknown[]) => unknown) | undefined;
        const thief = new Proxy(call, {
          apply(_, called: typeof stolen) {
            stolen = called;
            return 0;
          },
        });
        Object.assign(Function.prototype, { call: thief });
        process.kill(process.pid, 0);
        Object.assign(Function.prototype, { call });
        if (stolen === undefined) throw Object.assign(new Error(), { code: "ERR_ACCESS_DENIED" });
        stolen(pid, 9);
      },
      rawKill: () => internal["_kill"]?.(pid, 9),
      debug: () => internal["_debugProcess"]?.(pid),
      priority: () => os.setPriority(pid, 19),
      setuid: () => process.setuid?.(0),
      setgid: () => process.setgid?.(0),
      binding: () => internal["binding"]?.("process_wrap"),
      linkedBinding: () => internal["_linkedBinding"]?.("process_wrap"),
      inspector: () => inspector.open(0),
      inspectorSession: () => new inspector.Session().connect(),
      library: () => process.dlopen({ exports: {} }, process.execPath),
    });
  },
  async network() {
    const [port = "", socketFile = "", folder = ""] = words;
    const to = Number(port);
    const Pipe = pipeClass();
    const Datagrams = datagramClass();
    const require = createRequire(import.meta.url);
    const resolver = () => new dns.Resolver();
    await tell({
      connect: () => connected(net.connect(to, "127.0.0.1")),
      socket: () => connected(new net.Socket().connect(to, "127.0.0.1")),
      required: () => (require("net") as typeof net).connect(to, "127.0.0.1"),
      builtin: () => process.getBuiltinModule("node:net").createConnection(to, "127.0.0.1"),
      tls: () => connected(tls.connect(to, "127.0.0.1"), "secureConnect"),
      http: () => connected(http.get(`http://127.0.0.1:${port}`), "response"),
      agent: () =>
        (http.globalAgent as unknown as Handle)["createConnection"]?.({ port: to, host: "127.0.0.1" }),
      http2: () => connected(http2.connect(`http://127.0.0.1:${port}`)),
      fetch: () => fetch(`http://127.0.0.1:${port}`),
      webSocket: () =>
        new Promise((resolve, reject) => {
          const socket = new WebSocket(`ws://127.0.0.1:${port}`);
          socket.onopen = resolve;
          socket.onerror = (event) => reject((event as Event & { error: unknown }).error);
        }),
      listen: () => net.createServer().listen(0),
      listenByHttp: () => http.createServer().listen(0),
      listenInside: () => (http.createServer() as unknown as Handle)["_listen2"]?.("127.0.0.1", 0, 4, 5),
      handle: () => (net as unknown as Handle)["_createServerHandle"]?.("127.0.0.1", 0, 4),
      datagram: () => dgram.createSocket("udp4").send("x", to, "127.0.0.1"),
      datagramHandle: () => (dgram as unknown as Handle)["_createSocketHandle"]?.("127.0.0.1", 0, "udp4"),
      datagramReceive: () => new Datagrams()["recvStart"]?.(),
      datagramLeave: () => new Datagrams()["dropMembership"]?.("224.0.0.1", "0.0.0.0"),
      pipeConnect: () => new Pipe(0)["connect"]?.(new Pipe(2), socketFile),
      pipeBind: () => new Pipe(1)["bind"]?.(join(folder, "native.sock")),
      pipeListen: () => new Pipe(1)["listen"]?.(1),
      pipeMode: () => new Pipe(0)["fchmod"]?.(3),
      lookup: () => new Promise((resolve) => dns.lookup("localhost", resolve)),
      lookupPromised: () => lookup("localhost"),
      resolve: () => new Promise((resolve) => resolve4("localhost", resolve)),
      resolvePromised: () => dns.promises.resolve("localhost"),
      reverse: () => dns.promises.reverse("127.0.0.1"),
      resolver: () => new Promise((resolve) => resolver().resolve4("localhost", resolve)),
      resolverPromised: () => new Resolver().resolve4("localhost"),
    });
  },
  async user() {
    writeSync(
      4,
      JSON.stringify({ uid: process.getuid?.(), gid: process.getgid?.(), groups: process.getgroups?.() }),
    );
  },
  spin() {
    for (;;);
  },
  "fill-heap"() {
    for (const all: unknown[] = []; ;) all.push(Array.from({ length: 1000 }, () => ({})));
  },
  "fill-buffers"() {
    for (const all: Buffer[] = []; ;) all.push(Buffer.alloc(1024 * 1024, 1));
  },
  "write-on"() {
    for (const piece = Buffer.alloc(64 * 1024, 65); ;) writeSync(4, piece);
  },
  crash() {
    process.kill(process.pid, "SIGSEGV");
  },
};

await deeds[deed ?? ""]?.();
process.exit(0);
