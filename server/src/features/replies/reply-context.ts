// What the parts of a process that work on replies share.
import type { Deps } from "../../platform/deps.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { LiveReplies } from "./live-replies.ts";
import type { SearchTools } from "../search/web-search.ts";
import type { ReplyFeeds } from "./reply-feeds.ts";

export interface ReplyContext extends Deps {
  /** Names this process in leases; new at every start. */
  owner: string;
  commit: GroupCommit;
  feeds: ReplyFeeds;
  live: LiveReplies;
  /** For replies that search. */
  searching: SearchTools;
}
