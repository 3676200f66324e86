// Loaded before the program of an isolated process. Node's permissions keep it from files, programs and threads; the network,
// other processes and V8's flags they do not cover, so what leads there is made to refuse. Code that a hostile document took
// over finds no original left: exports, prototypes and the native handles below them are all replaced.
import { ChildProcess } from "node:child_process";
import dgram from "node:dgram";
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import os from "node:os";
import tls from "node:tls";
import v8 from "node:v8";

function refuse(): never {
  throw Object.assign(new Error("an isolated process may not do this"), { code: "ERR_ACCESS_DENIED" });
}

/** Replaces the functions of an object by ones that refuse: those named, else all of them. */
function close(target: object | null | undefined, names?: readonly string[]): void {
  if (target === null || target === undefined) return;
  for (const name of names ?? Object.getOwnPropertyNames(target)) {
    const member: unknown = Object.getOwnPropertyDescriptor(target, name)?.value;
    if (name !== "constructor" && typeof member === "function") Object.assign(target, { [name]: refuse });
  }
}

/** The prototype of a native handle, whose class is exported nowhere. Without it nothing may run. */
function prototypeOf(handle: unknown): object {
  if (typeof handle !== "object" || handle === null) throw new TypeError("there is no native handle");
  return Object.getPrototypeOf(handle) as object;
}

/** The native handle of a new TCP socket or pipe. */
function streamHandle(kind: { pipe: boolean }): unknown {
  const secure = new tls.TLSSocket(undefined as never, kind as tls.TLSSocketOptions) as unknown as {
    _handle: { _parent: unknown };
    destroy(): void;
  };
  const handle = secure._handle._parent;
  secure.destroy();
  return handle;
}

function closeNetwork(): void {
  // Handles are reached by hooks, symbols and open files, and bind, connect and listen without the classes around them.
  // Nothing here needs a TCP or UDP socket, so no method stays: receiving, too, binds a UDP socket to a port.
  close(prototypeOf(streamHandle({ pipe: false })));
  // Standard output and the channel to a parent are pipes that are open already. Node only opens them by their number.
  const pipe = prototypeOf(streamHandle({ pipe: true }));
  close(
    pipe,
    Object.getOwnPropertyNames(pipe).filter((name) => name !== "open"),
  );
  const { _createSocketHandle: createHandle } = dgram as unknown as {
    _createSocketHandle(...words: unknown[]): { close(): void };
  };
  const udp = createHandle(null, 0, "udp4", undefined, 0);
  close(prototypeOf(udp));
  udp.close();
  const resolver = new dns.Resolver() as unknown as { _handle: unknown };
  close(prototypeOf(resolver._handle));

  close(net.Socket.prototype, ["connect"]);
  close(net.Server.prototype, ["listen", "_listen2"]);
  close(dgram.Socket.prototype);
  for (const { prototype } of [dns.Resolver, dns.promises.Resolver]) {
    close(prototype);
    close(Object.getPrototypeOf(prototype) as object);
  }
  for (const module of [tls, dgram, dns, dns.promises]) close(module);
  // Standard output may be a pipe, which Node opens as a socket: its class stays, without a way to connect.
  const classes = new Set(["Socket", "Stream"]);
  close(
    net,
    Object.getOwnPropertyNames(net).filter((name) => !classes.has(name)),
  );
}

function closeOtherProcesses(): void {
  const own = process.pid;
  const { _kill: kill } = process as unknown as { _kill(pid: number, signal: number): number };
  // Called directly, because code that replaces Function.prototype.call would be handed the original.
  const killItself = (pid: number, signal: number) => (pid === own ? kill(pid, signal) : refuse());
  // What process.kill calls.
  Object.assign(process, { _kill: killItself });
  close(process, ["_debugProcess", "_debugEnd", "initgroups"]);
  close(process, ["setuid", "setgid", "seteuid", "setegid", "setgroups"]);
  close(os, ["setPriority"]);
  // On a handle that started no program, its kill signals the process whose number uninitialized memory happens to hold.
  const child = new ChildProcess() as unknown as { _handle: { close(): void } };
  close(prototypeOf(child._handle));
  child._handle.close();
}

closeNetwork();
closeOtherProcesses();
// Some flags make V8 write files, wherever they say.
close(v8, ["setFlagsFromString"]);
// Else what is imported by its name would be the original.
syncBuiltinESMExports();
