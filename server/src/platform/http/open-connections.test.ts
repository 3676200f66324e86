import { expect, test, vi } from "vitest";
import { OpenConnections } from "./open-connections.ts";

function open(connections: OpenConnections, network = "a") {
  const close = vi.fn<() => void>();
  return { close, ...connections.begin(network, close) };
}

test("over the limit the one closes that has been without a request for longest; other networks do not count", () => {
  const connections = new OpenConnections(2);
  const [first, second] = [open(connections), open(connections)];
  first.beginRequest()();
  open(connections, "b");
  expect(second.close).not.toHaveBeenCalled();
  open(connections);
  expect(second.close).toHaveBeenCalledOnce();
  expect(first.close).not.toHaveBeenCalled();
});

test("with a request under way on every connection the newcomer closes, until one has ended", () => {
  const connections = new OpenConnections(2);
  const [first, second] = [open(connections), open(connections)];
  first.beginRequest();
  second.beginRequest();
  const third = open(connections);
  expect(third.close).toHaveBeenCalledOnce();
  third.end();
  first.end();
  expect(open(connections).close).not.toHaveBeenCalled();
  expect(second.close).not.toHaveBeenCalled();
});
