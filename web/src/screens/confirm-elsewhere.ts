import type { OwnAccount } from "../engine/accounts/own-account.ts";
import type { Engine } from "../engine/engine.ts";
import { loadAccountTexts } from "../i18n/account-texts.ts";
import { loadCodeTexts } from "../i18n/code-texts.ts";

/** Whoever is signed in here wanted to show who they are; the route guard leads back to where that was. */
export async function confirmElsewhere(
  engine: Engine,
  brought: Parameters<OwnAccount["confirm"]["finishElsewhere"]>[0],
): Promise<void> {
  await Promise.all([engine.loadChat(), loadAccountTexts(), loadCodeTexts()]);
  await (await engine.ownAccount())?.confirm.finishElsewhere(brought);
}
