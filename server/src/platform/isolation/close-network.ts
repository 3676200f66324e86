// A document may make no connection. Node's permissions do not cover the network yet, so its modules are made to refuse.
import dgram from "node:dgram";
import dns from "node:dns";
import net from "node:net";

/** From now on every attempt to connect, listen or look up a name in this process throws. */
export function closeNetwork(): void {
  const refuse = (): never => {
    throw new Error("a document may not use the network");
  };
  net.Socket.prototype.connect = refuse;
  net.Server.prototype.listen = refuse;
  dgram.Socket.prototype.bind = refuse;
  dgram.Socket.prototype.send = refuse;
  Object.assign(dns, { lookup: refuse, resolve: refuse });
}
