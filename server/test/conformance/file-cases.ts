// Files: taken, told, shown, sent along, and refused (wire-contract.md §12, §11.2–§11.4, §18.7).
import { expect, it } from "vitest";
import { withoutTraceId } from "../expect-envelope.ts";
import type { Json, Person } from "./person.ts";
import type { World } from "./world.ts";

const upload = "/api/v0/file/upload_file";
const at = (name: string): string => `/api/v0/chat/${name}`;

export function fileCases(world: World): void {
  let owners: Promise<{ anna: Person; ids: string[] }> | null = null;
  /** One person for all these cases, who may upload sixty files an hour, with three that have been read. */
  const annasFiles = async () => {
    owners ??= (async () => {
      const anna = await world.newPerson();
      const ids: string[] = [];
      for (const name of ["one.txt", "two.md", "three.py"])
        ids.push(await anna.file(name, `Words of ${name}`));
      return { anna, ids };
    })();
    return owners;
  };

  it("a text is taken as PENDING, read, and told in the order asked for, each once", async () => {
    const { anna, ids } = await annasFiles();
    const taken = await anna.upload("later.txt", "More words");
    expect([taken.biz, taken.msg]).toEqual([0, ""]);
    expect(taken.data).toMatchObject({ file_name: "later.txt", file_size: 10, status: "PENDING" });
    expect(Object.keys(taken.data).sort()).toEqual(
      [
        ...[
          "id",
          "file_name",
          "file_size",
          "status",
          "error_code",
          "previewable",
          "token_usage",
          "inserted_at",
        ],
        ...["updated_at", "from_share", "is_image", "model_kind", "audit_result", "signed_path"],
      ].sort(),
    );
    const [one, two, three] = ids;
    const told = await anna.files([three, "file-unknown", one, two, three].join(","));
    expect(told.map(({ id, status }) => [id, status])).toEqual([
      [three, "SUCCESS"],
      [one, "SUCCESS"],
      [two, "SUCCESS"],
    ]);
    expect(told.every(({ token_usage: tokens }) => Number(tokens) > 0)).toBe(true);
  });

  it.each([
    ["empty.txt", "", 2, "FILE_SIZE_EMPTY"],
    [`${"x".repeat(252)}.txt`, "x", 4, "FILE_NAME_TOO_LONG"],
    ["program.exe", "x", 9, "UNSUPPORTED_FORMAT"],
    ["without", "x", 9, "UNSUPPORTED_FORMAT"],
    ["", "x", 1, "FILE_NAME_EMPTY"],
  ])("the file %j is refused: %s", async (name, content, code, msg) => {
    const { anna } = await annasFiles();
    const said = await anna.upload(name, content);
    expect([said.biz, said.msg, said.envelope.data?.biz_data], said.text).toEqual([code, msg, null]);
  });

  it("what is announced as too large is refused unread: 3", async () => {
    const { anna } = await annasFiles();
    const said = await anna.upload("a.txt", "x", { "x-file-size": "104857601" });
    expect([said.biz, said.msg]).toEqual([3, "FILE_TOO_LARGE"]);
  });

  it("an upload without a proof, or with one for a message, is none", async () => {
    const { anna } = await annasFiles();
    const without = await anna.upload("a.txt", "x", { "x-ds-pow-response": null });
    expect([without.envelope.code, without.msg]).toEqual([40300, "POW_HEADER_ERROR"]);
    const other = await anna.upload("a.txt", "x", await anna.proof());
    expect([other.envelope.code, other.msg]).toEqual([40301, "INVALID_POW_RESPONSE"]);
  });

  it("a body that is no form with a file is refused: 42200", async () => {
    const { anna } = await annasFiles();
    for (const body of [
      "",
      "x",
      "--b\r\n\r\nx",
      `--b\r\ncontent-disposition: form-data; name="other"\r\n\r\nx\r\n--b--\r\n`,
    ]) {
      const said = await anna.post(upload, body, {
        ...(await anna.proof(upload)),
        "content-type": "multipart/form-data; boundary=b",
      });
      expect([said.status, said.envelope.code], body).toEqual([422, 42200]);
    }
  });

  it("another's file is told, shown and sent to nobody else, as one that is not there", async () => {
    const { ids } = await annasFiles();
    const person = await world.person();
    expect(await person.files(ids.join(","))).toEqual([]);
    const session = await person.talk();
    for (const id of ids) {
      const [own, unknown] = await Promise.all(
        [id, "file-unknown"].map((one) => person.get(`/api/v0/file/preview?file_id=${one}`)),
      );
      expect([own?.biz, own?.msg]).toEqual([1, "FILE_NOT_FOUND"]);
      expect(withoutTraceId(own?.text ?? "")).toBe(withoutTraceId(unknown?.text ?? "x"));
      const body = { chat_session_id: session, prompt: "x", ref_file_ids: [id] };
      const said = await person.post(at("completion"), body);
      expect([said.biz, said.msg]).toEqual([9, "INVALID_FILE_REFERENCE"]);
    }
  });

  it("a preview leads to the text, for whoever has its link and nobody without it", async () => {
    const { anna, ids } = await annasFiles();
    const { url, type, name } = await anna.look(`/api/v0/file/preview?file_id=${ids[0]}`);
    expect([type, name]).toEqual(["text", "one.txt"]);
    const path = new URL(String(url)).pathname + new URL(String(url)).search;
    const guest = world.guest();
    const bytes = await guest.send("GET", path);
    expect([bytes.status, bytes.text]).toEqual([200, "Words of one.txt"]);
    expect(bytes.header("content-type")).toBe("text/plain; charset=utf-8");
    expect(bytes.header("content-security-policy")).toContain("sandbox");
    const forged = await guest.get(path.replace(/token=.{8}/u, "token=AAAAAAAA"));
    expect([forged.status, forged.envelope.code]).toEqual([404, 40400]);
  });

  it("files go with a message and stay with its edits; deep thinking and search go with none: 13, 17", async () => {
    const { anna, ids } = await annasFiles();
    const id = await anna.session();
    const [one = "", two = ""] = ids;
    const refusedWith = async (name: string, body: Json): Promise<void> => {
      for (const [more, code, msg] of [
        [{ thinking_enabled: true }, 13, "THINKING_WITH_FILE"],
        [{ search_enabled: true }, 17, "SEARCH_WITH_FILE"],
        [{ thinking_enabled: true, search_enabled: true }, 13, "THINKING_WITH_FILE"],
      ] as const) {
        const said = await anna.post(at(name), { chat_session_id: id, ...body, ...more });
        expect([said.biz, said.msg], name).toEqual([code, msg]);
      }
    };
    await refusedWith("completion", { prompt: "x", ref_file_ids: [one] });
    // Files alone are a message.
    await anna.turn({ chat_session_id: id, prompt: "", ref_file_ids: [two, one] });
    await refusedWith("regenerate", { child_message_id: 2 });
    await refusedWith("edit_message", { message_id: 1, prompt: "y" });
    await anna.turn({ chat_session_id: id, message_id: 1, prompt: "y" }, "edit_message");
    const { chat_messages: messages } = await anna.history(id);
    const asked = messages.filter(({ role }) => role === "USER");
    expect(asked.map(({ files }) => files.map((file) => file.id))).toEqual([
      [two, one],
      [two, one],
    ]);
  });
}
