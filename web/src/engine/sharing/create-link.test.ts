// The dialog that makes a public link, and every refusal of wire-contract.md §18.8 for it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import base from "../../i18n/en_US.json";
import sharing from "../../i18n/sharing.en_US.json";
import { shareRefusals } from "../testing/contract-refusals.ts";
import { globalError, ok, refused } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage } from "../testing/open-page.ts";
import { shortTalk } from "../testing/wire-message.ts";

const CREATE = "/api/v0/share/create";
const contract = readFileSync(join(import.meta.dirname, "../../../../docs/wire-contract.md"), "utf8");
const texts: Record<string, string> = { ...base, ...sharing };

async function open() {
  const server = createFakeServer();
  server.addSession("s1", shortTalk);
  const page = await openPage(server);
  const { engine, browser } = page;
  engine.sessions.open("s1");
  await browser.settle();
  const { createLink, selection } = await engine.sharing.load();
  engine.sharing.begin("s1");
  await browser.settle();
  const state = () => createLink.store.getState();
  const toasts = () => engine.site.toasts.getState().toasts;
  const copied: string[] = [];
  const copy = async (path: string) => copied.push(path) > 0;
  const choose = () => {
    selection.toggle(1);
    createLink.open();
  };
  return { server, page, engine, browser, createLink, selection, state, toasts, copied, copy, choose };
}

describe("the dialog that makes a link", () => {
  it("opens with at least one turn, creates, and shows the link, which is copied [SHARE-017]", async () => {
    const { server, page, engine, browser, createLink, selection, state, copied, copy } = await open();
    createLink.open();
    expect(state()).toEqual({ phase: "closed" });
    selection.toggle(1);
    createLink.open();
    expect(state()).toEqual({ phase: "idle" });
    let answer!: (response: Response) => void;
    server.answer(CREATE, () => new Promise((resolve) => (answer = resolve)));
    void createLink.create(copy);
    await browser.settle();
    expect(state()).toEqual({ phase: "creating" });
    expect(server.calls(CREATE).map(({ body }) => body)).toEqual([
      { chat_session_id: "s1", message_ids: [1, 2], title: "hi" },
    ]);
    answer(ok({ share_id: "abcdefghij01234567" }));
    await browser.settle();
    expect(state()).toMatchObject({ phase: "shown", path: "/share/abcdefghij01234567" });
    expect(copied).toEqual(["/share/abcdefghij01234567"]);
    createLink.close();
    expect(state()).toEqual({ phase: "closed" });
    expect(engine.site.overlays.getState().selecting).toBeNull();
    page.close();
  });

  it("stays open while it creates, and creates one link however often that is asked [SHARE-018]", async () => {
    const { server, page, engine, browser, createLink, state, copy, choose } = await open();
    choose();
    server.answer(CREATE, () => new Promise(() => {}));
    void createLink.create(copy);
    createLink.close();
    void createLink.create(copy);
    await browser.settle();
    expect(state()).toEqual({ phase: "creating" });
    expect(engine.site.overlays.getState().selecting).toBe("s1");
    expect(server.calls(CREATE)).toHaveLength(1);
    page.close();
  });

  it("closed before it creates it leads back to what is chosen", async () => {
    const { page, engine, createLink, selection, choose } = await open();
    choose();
    createLink.close();
    expect(engine.site.overlays.getState().selecting).toBe("s1");
    expect(selection.chosenIds()).toEqual([1, 2]);
    page.close();
  });

  it("shows for 5 s that the link is copied, each time it is [SHARE-019]", async () => {
    const { server, page, browser, createLink, state, copied, copy, choose } = await open();
    choose();
    server.answer(CREATE, () => ok({ share_id: "a" }));
    void createLink.create(copy);
    await browser.settle();
    await browser.advance(4900);
    expect(state()).toMatchObject({ isCopied: true });
    await browser.advance(100);
    expect(state()).toMatchObject({ phase: "shown", isCopied: false });
    void createLink.copy(copy);
    await browser.advance(4000);
    void createLink.copy(copy);
    await browser.advance(4000);
    expect(state()).toMatchObject({ isCopied: true });
    expect(copied).toHaveLength(3);
    page.close();
  });

  it("warns where the link could not be copied, and shows it all the same [SHARE-020]", async () => {
    const { server, page, browser, createLink, state, toasts, choose } = await open();
    choose();
    server.answer(CREATE, () => ok({ share_id: "a" }));
    void createLink.create(async () => false);
    await browser.settle();
    expect(state()).toEqual({ phase: "shown", path: "/share/a", isCopied: false });
    expect(toasts()).toMatchObject([{ type: "warning", text: { key: "shareCreateLinkCopyFailed" } }]);
    page.close();
  });

  it("is closed when the account leaves, and a late answer opens nothing", async () => {
    const { server, page, engine, browser, createLink, state, toasts, copied, copy, choose } = await open();
    choose();
    let answer!: (response: Response) => void;
    server.answer(CREATE, () => new Promise((resolve) => (answer = resolve)));
    void createLink.create(copy);
    await browser.settle();
    await engine.accounts.signOut();
    answer(ok({ share_id: "a" }));
    await browser.settle();
    expect(state()).toEqual({ phase: "closed" });
    expect([copied, toasts()]).toEqual([[], []]);
    page.close();
  });
});

describe("a link that is not created", () => {
  const refusals = shareRefusals(contract, "create");

  it("is refused for each reason that the contract knows", () => {
    expect(new Set(refusals.map(({ code }) => code))).toEqual(
      new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
    );
  });

  it.each(refusals.filter(({ code }) => code !== 1))(
    "says so in the words of the contract, and keeps what is chosen: $code $msg [SHARE-027] [SHARE-029] [SHARE-031]",
    async ({ code, msg, english }) => {
      const { server, page, engine, browser, createLink, selection, state, toasts, copy, choose } =
        await open();
      choose();
      server.answer(CREATE, () => refused(code, msg));
      const asked = server.calls("/api/v0/users/current").length;
      void createLink.create(copy);
      await browser.settle();
      const [toast] = toasts();
      const key = toast !== undefined && "key" in toast.text ? toast.text.key : "";
      expect([toasts().length, toast?.type, texts[key]]).toEqual([1, "error", english]);
      const mute = code === 4;
      const badTitle = code === 11;
      expect(state()).toEqual({ phase: mute || badTitle ? "closed" : "idle" });
      expect(selection.chosenIds()).toEqual(mute ? [] : [1, 2]);
      expect(engine.site.overlays.getState().selecting).toBe(mute ? null : "s1");
      expect(server.calls("/api/v0/users/current").length - asked).toBe(mute ? 1 : 0);
      page.close();
    },
  );

  it.each(refusals.filter(({ code }) => code === 1))(
    "of a session that is gone leads home: $msg [SESS-036]",
    async ({ msg }) => {
      const { server, page, engine, browser, createLink, state, toasts, copy, choose } = await open();
      choose();
      server.answer(CREATE, () => refused(1, msg));
      void createLink.create(copy);
      await browser.settle();
      const key = msg === "CHAT_SESSION_DELETED" ? "chatDeleted" : "chatNotFound";
      expect(toasts()).toMatchObject([{ type: "error", text: { key } }]);
      expect(state()).toEqual({ phase: "closed" });
      expect(engine.site.overlays.getState().selecting).toBeNull();
      expect(engine.site.navigation.getState()).toMatchObject({ to: "/" });
      page.close();
    },
  );

  it.each([
    ["a number nobody knows", () => refused(77, "NEW")],
    ["a server that is away", () => globalError(50000, "INTERNAL_ERROR", 500)],
    [
      "no network",
      () => {
        throw new TypeError("fetch failed");
      },
    ],
  ])("by %s says so [SHARE-031]", async (_why, answer) => {
    const { server, page, browser, createLink, state, toasts, copy, choose } = await open();
    choose();
    server.answer(CREATE, answer);
    void createLink.create(copy);
    await browser.settle();
    expect(toasts()).toMatchObject([{ type: "error", text: { key: "shareCreateLinkFailedToast" } }]);
    expect(state()).toEqual({ phase: "idle" });
    page.close();
  });

  it("is said until the next try begins, and again where that fails, too", async () => {
    const { server, page, browser, createLink, state, toasts, copy, choose } = await open();
    choose();
    server.answer(CREATE, () => refused(9, "RATE_LIMIT_REACHED"));
    void createLink.create(copy);
    await browser.settle();
    const [first] = toasts();
    expect(first?.type).toBe("error");
    let answer!: (response: Response) => void;
    server.answer(CREATE, () => new Promise((resolve) => (answer = resolve)));
    void createLink.create(copy);
    await browser.settle();
    expect([state(), toasts()]).toEqual([{ phase: "creating" }, []]);
    answer(refused(9, "RATE_LIMIT_REACHED"));
    await browser.settle();
    expect(toasts()).toEqual([{ ...first, id: expect.any(Number) as number }]);
    expect(toasts()[0]?.id).not.toBe(first?.id);
    server.answer(CREATE, () => ok({ share_id: "a" }));
    void createLink.create(copy);
    await browser.settle();
    expect([state().phase, toasts()]).toEqual(["shown", []]);
    page.close();
  });

  it("of more turns than a share may have is not asked for", async () => {
    const { server, page, createLink, selection, toasts, copy, choose } = await open();
    choose();
    vi.spyOn(selection, "chosenIds").mockReturnValue(Array.from({ length: 1002 }, (_, index) => index + 1));
    await createLink.create(copy);
    expect(toasts()).toMatchObject([{ text: { key: "shareTooManyTurns", params: { max: 500 } } }]);
    expect(server.calls(CREATE)).toEqual([]);
    page.close();
  });
});
