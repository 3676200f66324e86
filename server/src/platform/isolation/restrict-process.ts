// Loaded before the program of an isolated process. Node's permissions keep it from files, programs and threads; the network,
// other processes and V8's flags they do not cover, so what leads there is made to refuse. Code that a hostile document took
// over finds no original left: exports, prototypes and the native handles below them are all replaced.
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

/** The prototype of a native handle, whose class is exported nowhere. */
function prototypeOf(handle: unknown): object | null {
  return typeof handle === "object" && handle !== null ? (Object.getPrototypeOf(handle) as object) : null;
}

function closeNetwork(): void {
  // Handles are reached by hooks and symbols, and bind and listen without the classes around them.
  const secure = new tls.TLSSocket(undefined as never) as unknown as {
    _handle: { _parent: { close(): void } };
    destroy(): void;
  };
  const tcp = secure._handle._parent;
  close(prototypeOf(tcp), ["bind", "bind6", "connect", "connect6", "listen", "open"]);
  secure.destroy();
  const { _createSocketHandle: createHandle } = dgram as unknown as {
    _createSocketHandle(...words: unknown[]): { close(): void };
  };
  const udp = createHandle(null, 0, "udp4", undefined, 0);
  const sends = ["send", "send6", "addMembership", "addSourceSpecificMembership"];
  close(prototypeOf(udp), ["bind", "bind6", "connect", "connect6", "open", ...sends]);
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
  const killItself = (pid: number, signal: number) =>
    pid === own ? kill.call(process, pid, signal) : refuse();
  // What process.kill calls.
  Object.assign(process, { _kill: killItself });
  close(process, ["_debugProcess", "_debugEnd", "initgroups"]);
  close(process, ["setuid", "setgid", "seteuid", "setegid", "setgroups"]);
  close(os, ["setPriority"]);
}

closeNetwork();
closeOtherProcesses();
// Some flags make V8 write files, wherever they say.
close(v8, ["setFlagsFromString"]);
// Else what is imported by its name would be the original.
syncBuiltinESMExports();
