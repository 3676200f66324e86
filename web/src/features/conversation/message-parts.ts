import { isFragment, type Fragment } from "@plumb/protocol/conversation/fragment";
import type { ClientMessage } from "../../engine/sessions/client-message.ts";
import { promptOf } from "../../engine/turns/placeholders.ts";
import type { Growing } from "../../markdown/parse-env.ts";
import type { MessagePart } from "../../markdown/undrawn.ts";
import { citedSources } from "./fragments/cited-sources.ts";

/** What a message says as it is drawn: without thoughts, which are closed, and what is said of it. */
export function messageParts(message: ClientMessage): readonly MessagePart[] {
  const { role, status, files, fragments } = message;
  if (role === "USER")
    return [files.map((file) => file.file_name).join("\n"), promptOf(message)].map((said) => ({ said }));
  const sources = citedSources(
    fragments.flatMap((part) => (isFragment(part, "SEARCH") ? [part.results] : [])),
  );
  return fragments.flatMap((part): MessagePart[] => {
    if (isFragment(part, "RESPONSE"))
      return [{ text: part.content, streaming: growthOf(message, part), sources }];
    const isShown = isFragment(part, "TIP") && !(part.hide_on_wip && status === "WIP");
    return isShown || isFragment(part, "TEMPLATE_RESPONSE") ? [{ said: part.content }] : [];
  });
}

/** Whether it is this part of a message that is being written, or was cut. */
export function growthOf({ status, fragments }: ClientMessage, fragment: Fragment): Growing {
  return fragment === fragments.at(-1) && (status === "WIP" || (status !== "FINISHED" && "cut"));
}
