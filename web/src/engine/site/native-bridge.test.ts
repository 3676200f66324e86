import { expect, test } from "vitest";
import { readNativeUser } from "./native-bridge.ts";

test("the user comes from the object the app injected, called as its method [FDBK-009]", () => {
  const bridge = {
    said: '{"id":"7","name":"安娜","email":"a@example.org","more":{}}',
    getUserInfo(): string {
      return this.said;
    },
  };
  const user = { id: "7", name: "安娜", email: "a@example.org", mobile: "" };
  expect(readNativeUser({ PlumbApp: bridge }, "PlumbApp")).toEqual(user);
});

test.each([
  ["no name", { PlumbApp: { getUserInfo: () => "{}" } }, null],
  ["no object", {}, "PlumbApp"],
  ["a text", { PlumbApp: "x" }, "PlumbApp"],
  ["no method", { PlumbApp: {} }, "PlumbApp"],
  ["something else than a method", { PlumbApp: { getUserInfo: 5 } }, "PlumbApp"],
  ["an answer that is no text", { PlumbApp: { getUserInfo: () => ({ id: "7" }) } }, "PlumbApp"],
  ["an answer that is no JSON", { PlumbApp: { getUserInfo: () => "id=7" } }, "PlumbApp"],
  ["an answer that is no object", { PlumbApp: { getUserInfo: () => "[7]" } }, "PlumbApp"],
  [
    "a method that throws",
    {
      PlumbApp: {
        getUserInfo() {
          throw new Error("gone");
        },
      },
    },
    "PlumbApp",
  ],
])("with %s there is no user [FDBK-010]", (_name, host, name) => {
  expect(readNativeUser(host, name)).toBeNull();
});
