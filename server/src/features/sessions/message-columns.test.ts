// No column of a message is left out where messages are written, read and copied.
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import { commonColumns, headColumns, keptColumns, sharedHeadColumns } from "./message-columns.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase("sqlite");
});
afterAll(() => database.close());

const columnsOf = async (table: string): Promise<string[]> => {
  const tables = await database.db.kysely.introspection.getTables();
  return (tables.find(({ name }) => name === table)?.columns ?? []).map(({ name }) => name).sort();
};

it("the lists have every column of the two tables, the words beside", async () => {
  expect(await columnsOf("messages")).toEqual([...headColumns, "fragments"].sort());
  expect(await columnsOf("share_messages")).toEqual([...sharedHeadColumns, "fragments"].sort());
});

it("what both tables have is told once", async () => {
  const [own, shared] = [await columnsOf("messages"), await columnsOf("share_messages")];
  expect(own.filter((name) => shared.includes(name))).toEqual([...commonColumns, "fragments"].sort());
  expect(commonColumns.filter((name) => !keptColumns.some((kept) => kept === name))).toEqual([
    "message_id",
    "user_id",
    "parent_id",
    "files",
    "accumulated_token_usage",
  ]);
});
