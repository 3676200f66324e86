// One whole reply as it crossed the wire, and the message it must fold to. protocol/README.md walks through it.
import type { Message } from "../conversation/message.ts";

const START: Message = {
  message_id: 8,
  parent_id: 7,
  model: "",
  role: "ASSISTANT",
  thinking_enabled: true,
  ban_edit: false,
  ban_regenerate: false,
  status: "WIP",
  incomplete_message: null,
  accumulated_token_usage: 0,
  files: [],
  feedback: null,
  inserted_at: 1791234567.125,
  search_enabled: false,
  fragments: [],
  has_pending_fragment: false,
  auto_continue: false,
  conversation_mode: "DEFAULT",
  client_stream_id: "20261006-q7w2e9r4t1y6u3i8",
};

const FIRST: Message = {
  ...START,
  fragments: [{ id: 2, type: "THINK", content: "A plumb", elapsed_secs: null, references: [], stage_id: 1 }],
};

/** Frames as text, first to last. */
export const RECORDED_FRAMES: readonly string[] = [
  'id: 1\nevent: ready\ndata: {"request_message_id":7,"response_message_id":8,"model_type":"default"}\n\n',
  'id: 2\nevent: update_session\ndata: {"updated_at":1791234567.125}\n\n',
  `id: 3\ndata: {"v":{"response":${JSON.stringify(FIRST)}}}\n\n`,
  'id: 4\ndata: {"p":"response/fragments/-1/content","o":"APPEND","v":" line hangs"}\n\n',
  'id: 5\ndata: {"v":" straight."}\n\n',
  'id: 6\ndata: {"p":"response/fragments/-1/elapsed_secs","o":"SET","v":1.5}\n\n',
  'id: 7\ndata: {"p":"response/fragments","o":"APPEND","v":[{"id":3,"type":"RESPONSE","content":"It shows","references":[],"stage_id":1}]}\n\n',
  'id: 8\ndata: {"p":"response/fragments/-1/content","o":"APPEND","v":" what is"}\n\n',
  'id: 9\ndata: {"v":" upright 📏."}\n\n',
  'id: 10\ndata: {"p":"response","o":"BATCH","v":[{"p":"accumulated_token_usage","v":23},{"p":"quasi_status","v":"FINISHED"}]}\n\n',
  'id: 11\ndata: {"p":"response/status","o":"SET","v":"FINISHED"}\n\n',
  "id: 12\nevent: finish\ndata: {}\n\n",
  'id: 13\nevent: update_session\ndata: {"updated_at":1791234570.5,"thinking_quota":{"quota":50,"used":9,"reset_at":1791302400}}\n\n',
  'id: 14\nevent: title\ndata: {"content":"What a plumb line is for"}\n\n',
  'id: 15\nevent: close\ndata: {"click_behavior":"none","auto_resume":false}\n\n',
];

/** The message as stored when the reply has ended. */
export const RECORDED_MESSAGE: Message = {
  ...START,
  status: "FINISHED",
  accumulated_token_usage: 23,
  fragments: [
    {
      id: 2,
      type: "THINK",
      content: "A plumb line hangs straight.",
      elapsed_secs: 1.5,
      references: [],
      stage_id: 1,
    },
    { id: 3, type: "RESPONSE", content: "It shows what is upright 📏.", references: [], stage_id: 1 },
  ],
};
