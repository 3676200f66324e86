import {
  getMessage,
  insertMessage,
  selectSibling,
  shownBranch,
  treeOf,
  type MessageTree,
} from "@plumb/protocol/conversation/message-tree";
import type { MessageStatus } from "@plumb/protocol/conversation/message";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clientMessage, type ClientMessage, type MessageHint } from "../sessions/client-message.ts";
import { wireMessage } from "../testing/wire-message.ts";
import {
  assignIds,
  beginPlan,
  canBegin,
  parentForSend,
  rollbackPlan,
  withoutFailedSiblings,
} from "./plan-on-tree.ts";
import { placeholderRequest, type TurnInput } from "./placeholders.ts";
import { planContinue, planEdit, planNew, planRegenerate, planResume, type TurnPlan } from "./turn-plan.ts";

const NOW = 1_790_000_000_000;

type Tree = MessageTree<ClientMessage>;

const INPUT: TurnInput = {
  userId: -8,
  replyId: -9,
  clientStreamId: "20260921-0k3f9x7q2m5b8d1z",
  thinking: false,
  search: false,
  model: "",
  now: 0,
};
const HINT: MessageHint = { text: { key: "networkError" }, type: "error", clickBehavior: "retry" };

interface Turn {
  parent: number;
  replies: { status: MessageStatus; text: string }[];
}

/** Talks of up to six turns, each under some earlier reply or at the root, with one to three replies. */
const talk: fc.Arbitrary<Tree> = fc
  .record({
    turns: fc.array(
      fc.record({
        parent: fc.nat(20),
        replies: fc.array(
          fc.record({
            status: fc.constantFrom<MessageStatus>("FINISHED", "INCOMPLETE", "TIMEOUT"),
            text: fc.constantFrom("", "Four."),
          }),
          { minLength: 1, maxLength: 3 },
        ),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    shown: fc.nat(40),
  })
  .map(({ turns, shown }) => talkOf(turns, shown));

function talkOf(turns: readonly Turn[], shown: number): Tree {
  const messages: ClientMessage[] = [];
  const replyIds: (number | null)[] = [null];
  for (const { parent, replies } of turns) {
    const userId = messages.length + 1;
    const parent_id = replyIds[parent % replyIds.length]!;
    messages.push(clientMessage(wireMessage({ message_id: userId, parent_id, role: "USER" })));
    for (const { status, text } of replies) {
      const message_id = messages.length + 1;
      const fragments = text === "" ? [] : [{ id: 2, type: "RESPONSE", content: text }];
      replyIds.push(message_id);
      messages.push(
        clientMessage(wireMessage({ message_id, parent_id: userId, role: "ASSISTANT", status, fragments })),
      );
    }
  }
  return treeOf(messages, (shown % messages.length) + 1);
}

function plansOn(tree: Tree): TurnPlan[] {
  const ids = [...tree.nodes.keys()];
  const prompt = "2+2?";
  return [
    planNew(INPUT, { parentId: parentForSend(tree), prompt, files: [], knownLastId: null }),
    ...ids.map((id) => planRegenerate(tree, INPUT, id)),
    ...ids.map((messageId) => planEdit(tree, INPUT, { messageId, prompt })),
    ...ids.map((id) => planContinue(tree, id)),
  ].filter((plan) => plan !== null);
}

const idsOf = ({ userId, replyId }: TurnPlan) => ({ userId, replyId });

describe("a plan", () => {
  it("that is rolled back without a hint leaves all as it was, the turn's branch on show and an edit in its box", () => {
    fc.assert(
      fc.property(talk, (tree) => {
        for (const plan of plansOn(tree)) {
          const begun = beginPlan(tree, plan, NOW);
          expect(shownBranch(begun).at(-1)).toBe(plan.replyId);
          const back = rollbackPlan(begun, plan, idsOf(plan), { hint: null, localId: -10 });
          const { rollback } = plan;
          const again = rollback.kind === "message" || rollback.shows === null ? null : rollback.shows;
          expect(new Set(back.nodes.keys())).toEqual(new Set(tree.nodes.keys()));
          for (const [id, { message, childIds }] of tree.nodes) {
            expect(getMessage(back, id)).toEqual({ ...message, isEditing: plan.typed?.editOf === id });
            expect(back.nodes.get(id)?.childIds).toEqual(childIds);
          }
          if (again !== null) expect(selectSibling(back, again)).toBe(back);
        }
      }),
    );
  });

  it("has the scene of its request [ENG-051]", () => {
    const tree = talkOf([{ parent: 0, replies: [{ status: "INCOMPLETE", text: "Four." }] }], 2);
    const running = wireMessage({ message_id: 2, parent_id: 1, role: "ASSISTANT", status: "WIP" });
    const scenes = [
      planNew(INPUT, { parentId: null, prompt: "?", files: [], knownLastId: null }),
      planNew(INPUT, { parentId: 2, prompt: "?", files: [], knownLastId: 2 }),
      planRegenerate(tree, INPUT, 2),
      planContinue(tree, 2),
      planResume(running),
      planEdit(tree, INPUT, { messageId: 1, prompt: "?" }),
    ].map((plan) => [plan?.scene, plan?.call?.kind]);
    expect(scenes).toEqual([
      ["firstCompletion", "completion"],
      ["completion", "completion"],
      ["regenerate", "regenerate"],
      ["continue", "continue"],
      ["resumeStream", undefined],
      ["editMessage", "edit_message"],
    ]);
  });

  it("that is stored has the server's ids at the same places, with the same keys", () => {
    fc.assert(
      fc.property(talk, (tree) => {
        const next = tree.nodes.size + 1;
        for (const plan of plansOn(tree)) {
          const begun = beginPlan(tree, plan, NOW);
          const keys = shownBranch(begun).map((id) => getMessage(begun, id)?.key);
          const requestId = plan.userId < 0 ? next : plan.userId;
          const responseId = plan.replyId < 0 ? next + 1 : plan.replyId;
          const stored = assignIds(begun, idsOf(plan), { requestId, responseId });
          expect(stored.ids).toEqual({ userId: requestId, replyId: responseId });
          expect([...stored.tree.nodes.keys()].every((id) => id > 0)).toBe(true);
          const branch = shownBranch(stored.tree);
          expect(branch.map((id) => getMessage(stored.tree, id)?.key)).toEqual(keys);
          expect(branch.slice(-2)).toEqual([requestId, responseId]);
        }
      }),
    );
  });

  it("can't begin where the message it hangs on is gone", () => {
    const tree = talkOf([{ parent: 0, replies: [{ status: "INCOMPLETE", text: "Four." }] }], 2);
    for (const plan of plansOn(tree)) expect(canBegin(tree, plan)).toBe(true);
    const empty = treeOf<ClientMessage>([], null);
    expect(plansOn(tree).map((plan) => [plan.scene, canBegin(empty, plan)])).toEqual([
      ["firstCompletion", false],
      ["regenerate", false],
      ["editMessage", true],
      ["continue", false],
    ]);
  });

  it("with a hint keeps a prompt as an unsent message, and gives the hint of the others to the reply on show [ENG-005]", () => {
    const tree = talkOf([{ parent: 0, replies: [{ status: "INCOMPLETE", text: "Four." }] }], 2);
    const ended = plansOn(tree).map((plan) => {
      const back = rollbackPlan(beginPlan(tree, plan, NOW), plan, idsOf(plan), { hint: HINT, localId: -10 });
      const last = getMessage(back, shownBranch(back).at(-1)!);
      return [plan.scene, last?.message_id, last?.hint, last?.resendInfo];
    });
    expect(ended).toEqual([
      ["firstCompletion", -8, HINT, { scene: "completion" }],
      ["regenerate", 2, HINT, { scene: "regenerate", model: "" }],
      ["editMessage", -8, HINT, { scene: "edit", editMessageId: 1 }],
      ["continue", 2, HINT, { scene: "continue" }],
    ]);
  });

  it("of a resumed reply that is not kept leaves its prompt as an unsent message under a new id", () => {
    const tree = talkOf([{ parent: 0, replies: [{ status: "INCOMPLETE", text: "" }] }], 2);
    const plan = planResume(wireMessage({ message_id: 2, parent_id: 1, role: "ASSISTANT", status: "WIP" }));
    expect(beginPlan(tree, plan, NOW)).toBe(tree);
    const back = rollbackPlan(tree, plan, idsOf(plan), { hint: HINT, localId: -10 });
    expect(shownBranch(back)).toEqual([-10]);
    expect(getMessage(back, -10)?.hint).toBe(HINT);
  });
});

describe("failed siblings (wire-contract.md §17.2)", () => {
  const failed = { status: "INCOMPLETE" as const, text: "" };
  const answered = { status: "FINISHED" as const, text: "Four." };
  const half = { status: "INCOMPLETE" as const, text: "Fo" };

  it("are prompts all of whose replies are without text beside a new prompt, and such replies beside a new reply", () => {
    const tree = talkOf(
      [
        { parent: 0, replies: [failed, failed] },
        { parent: 0, replies: [failed, half] },
        { parent: 0, replies: [failed, answered, half] },
      ],
      8,
    );
    const asked = withoutFailedSiblings(tree, 7);
    expect(asked.rootIds).toEqual([4, 7]);
    expect(asked.nodes.get(4)?.childIds).toEqual([5, 6]);
    expect(asked.nodes.get(7)?.childIds).toEqual([8, 9, 10]);
    const answeredAgain = withoutFailedSiblings(tree, 9);
    expect(answeredAgain.rootIds).toEqual([1, 4, 7]);
    expect(answeredAgain.nodes.get(7)?.childIds).toEqual([9, 10]);
  });

  it("are none that were answered under, nor their prompts", () => {
    const tree = talkOf(
      [
        { parent: 0, replies: [failed, failed] },
        { parent: 1, replies: [answered] },
        { parent: 0, replies: [answered] },
      ],
      7,
    );
    expect(withoutFailedSiblings(tree, 3).nodes.get(1)?.childIds).toEqual([2, 3]);
    expect(withoutFailedSiblings(tree, 6).rootIds).toEqual([1, 6]);
  });

  it("are never unsent messages", () => {
    const tree = talkOf([{ parent: 0, replies: [answered] }], 2);
    const unsent = placeholderRequest(INPUT, {
      parentId: null,
      prompt: "?",
      files: [],
      resendInfo: { scene: "completion" },
    });
    const both = insertMessage(tree, unsent);
    expect(withoutFailedSiblings(both, 1)).toBe(both);
  });
});
