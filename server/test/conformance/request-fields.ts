// The request of every call that is served, field by field, as docs/wire-contract.md §6–§12, §14, §15 and §19 has it.
// conformance-fields.test.ts holds it against what is mounted.

export interface FieldRule {
  kind: "text" | "id" | "number" | "bool" | "texts" | "ids" | "one_of" | "object" | "list";
  /** Neither absent nor null. */
  required?: true;
  /** Required, but may be null. */
  nullable?: true;
  /** Characters of a text, items of a list. */
  max?: number;
  /** One that is allowed, where not every value of the kind is. */
  good?: unknown;
}

export interface CallFields {
  auth: "none" | "bearer" | "optional";
  answers: "json" | "stream" | "redirect";
  fields: Record<string, FieldRule>;
}

const text: FieldRule = { kind: "text" };
const id: FieldRule = { kind: "id" };
const bool: FieldRule = { kind: "bool" };
const needed = (rule: FieldRule): FieldRule => ({ ...rule, required: true });
const oneOf = (good: string): FieldRule => ({ kind: "one_of", good });

const session = { chat_session_id: needed(text) };
const origin = {
  locale: oneOf("en_US"),
  region: { ...text, max: 8, good: "CN" },
  device_id: { ...text, max: 500 },
  os: oneOf("web"),
};
const modes = { thinking_enabled: bool, search_enabled: bool, model: text };
const streamId = { client_stream_id: { ...text, max: 64 } };

const character = {
  name: text,
  instructions: text,
  greeting: text,
  avatar_text: text,
  avatar_color: text,
};

const open = (fields: CallFields["fields"] = {}): CallFields => ({ auth: "none", answers: "json", fields });
const redirect = (fields: CallFields["fields"]): CallFields => ({
  auth: "none",
  answers: "redirect",
  fields,
});
const json = (fields: CallFields["fields"] = {}): CallFields => ({ auth: "bearer", answers: "json", fields });
const stream = (fields: CallFields["fields"]): CallFields => ({ auth: "bearer", answers: "stream", fields });

export const requestFields: Record<string, CallFields> = {
  "GET /api/v0/client/settings": open({ did: { ...text, max: 500 }, scope: text }),
  "GET /api/v0/client/ip_info": open(),
  "POST /api/v0/client/span": { auth: "optional", answers: "json", fields: {} },
  "GET /api/v0/users/create_guest_challenge": open({ target_path: text }),
  "POST /api/v0/users/create_guest_challenge": open({ target_path: needed(text) }),
  "POST /api/v0/users/create_email_verification_code": open({
    email: text,
    scenario: oneOf("register"),
    invitation: text,
    locale: origin.locale,
    device_id: origin.device_id,
  }),
  "POST /api/v0/users/login": open({
    email: text,
    mobile: text,
    password: needed(text),
    area_code: text,
    device_id: origin.device_id,
    os: origin.os,
  }),
  "POST /api/v0/users/register": open({
    payload: { kind: "object", required: true, good: { email: "a@b.cd", password: "12345678" } },
    ...origin,
  }),
  "POST /api/v0/client/clearance": open(),
  "POST /api/v0/users/create_slide_captcha": open({ device_id: origin.device_id }),
  "POST /api/v0/users/check_slide_captcha": open({
    captcha_id: needed(text),
    x: needed({ kind: "number" }),
    track: needed({ kind: "list", good: [] }),
  }),
  "GET /api/v0/users/oauth/google/authorize": redirect({ os: text, device_id: origin.device_id }),
  "GET /api/v0/users/oauth/google/callback": redirect({
    code: { ...text, max: 2048 },
    state: { ...text, max: 2048 },
    error: { ...text, max: 2048 },
    iss: { ...text, max: 2048 },
  }),
  "POST /api/v0/users/oauth/wechat/start": open(),
  "POST /api/v0/users/oauth/wechat/mobile_verification": open({
    signature: text,
    area_code: text,
    mobile_number: text,
    sms_verification_code: text,
    usage: { kind: "list", good: ["research"] },
  }),
  "POST /api/v0/users/oauth/get_token": open({ nonce: needed(text), provider: needed(oneOf("GOOGLE")) }),
  "POST /api/v0/users/create_sms_verification_code": {
    auth: "optional",
    answers: "json",
    fields: {
      mobile_number: text,
      area_code: text,
      scenario: { ...text, max: 32, good: "login" },
      locale: origin.locale,
      device_id: origin.device_id,
    },
  },
  "POST /api/v0/users/check_email_code": open({
    email: needed(text),
    email_verification_code: needed(text),
  }),
  "POST /api/v0/users/check_sms_code": open({
    mobile_number: needed(text),
    area_code: text,
    sms_verification_code: needed(text),
  }),
  "POST /api/v0/users/login_by_mobile_sms": open({
    mobile_number: needed(text),
    area_code: text,
    sms_verification_code: needed(text),
    ...origin,
  }),
  "POST /api/v0/users/register_by_mobile": open({
    payload: { kind: "object", required: true, good: { mobile_number: "13800138000", password: "12345678" } },
    ...origin,
  }),
  "POST /api/v0/users/email_reset_password": open({
    email: needed(text),
    email_verification_code: needed(text),
    password: needed(text),
    unbind: { kind: "list", good: ["phone"] },
  }),
  "POST /api/v0/users/mobile_reset_password": open({
    area_code: text,
    mobile_number: needed(text),
    sms_verification_code: needed(text),
    password: needed(text),
    unbind: { kind: "list", good: ["email"] },
  }),
  "POST /api/v0/users/logout": json(),
  "POST /api/v0/users/logout_all_sessions": json(),
  "GET /api/v0/users/current": json(),
  "GET /api/v0/users/feature_quota": json(),
  "GET /api/v0/users/settings": json(),
  "POST /api/v0/users/update_settings": json({ training_allowed: bool }),
  "POST /api/v0/users/set_birthday": json({ year: needed(id), month: needed(id) }),
  "POST /api/v0/users/unregister": json(),
  "GET /api/v0/users/sign_ins": json(),
  "GET /api/v0/users/security": json(),
  "POST /api/v0/users/confirm_identity": json({
    password: text,
    email_verification_code: text,
    sms_verification_code: text,
    nonce: text,
    provider: oneOf("GOOGLE"),
  }),
  "POST /api/v0/users/confirm_code": json({ channel: needed(oneOf("email")), locale: origin.locale }),
  "POST /api/v0/users/unbind": json({ kind: needed(oneOf("phone")) }),
  "POST /api/v0/users/undo_binding": open({ token: { ...needed(text), max: 1000 } }),
  "POST /api/v0/users/end_sign_in": json({ id: needed(text) }),
  "POST /api/v0/users/bind_mobile": json({
    area_code: text,
    mobile_number: text,
    sms_verification_code: text,
  }),
  "POST /api/v0/chat_session/create": json({ character_id: text, agent: text }),
  "GET /api/v0/chat_session/fetch_page": json({
    before_seq_id: id,
    count: id,
    "lte_cursor.updated_at": { kind: "number" },
  }),
  "GET /api/v0/chat_session/search": json({ q: text, count: id, cursor: oneOf("1000.1") }),
  "POST /api/v0/chat_session/update_title": json({ ...session, title: needed(text) }),
  "POST /api/v0/chat_session/update_pinned": json({ ...session, pinned: needed(bool) }),
  "POST /api/v0/chat_session/delete": json({
    chat_session_id: text,
    chat_session_ids: { kind: "texts", max: 100 },
  }),
  "POST /api/v0/chat_session/delete_all": json(),
  "POST /api/v0/character/create": json(character),
  "GET /api/v0/character/list": json(),
  "POST /api/v0/character/update": json({ character_id: needed(text), ...character }),
  "POST /api/v0/character/delete": json({ character_id: needed(text) }),
  "POST /api/v0/file/upload_file": json(),
  "GET /api/v0/file/fetch_files": json({ file_ids: needed(text) }),
  "GET /api/v0/file/preview": json({ file_id: needed(text) }),
  "GET /api/v0/file/raw": open({ token: text }),
  "GET /api/v0/export_all": json(),
  "POST /api/v0/export_all": json(),
  "GET /api/v0/download_export_history": json(),
  "POST /api/v0/import": json(),
  "GET /api/v0/import": json(),
  "POST /api/v0/import/cancel": json({ import_id: needed(text) }),
  "GET /api/v0/export/file": open({ token: text }),
  "GET /api/v0/chat/history_messages": json({ ...session, cache_version: id }),
  "POST /api/v0/chat/create_pow_challenge": json({ target_path: needed(text) }),
  "POST /api/v0/chat/completion": stream({
    ...session,
    parent_message_id: id,
    known_last_message_id: id,
    prompt: needed(text),
    ref_file_ids: { kind: "texts", max: 50 },
    ...modes,
    ...streamId,
  }),
  "POST /api/v0/chat/regenerate": stream({
    ...session,
    child_message_id: needed(id),
    ...modes,
    ...streamId,
  }),
  "POST /api/v0/chat/edit_message": stream({
    ...session,
    message_id: needed(id),
    prompt: needed(text),
    ...modes,
    ...streamId,
  }),
  "POST /api/v0/chat/continue": stream({ ...session, message_id: needed(id), fallback_to_resume: bool }),
  "POST /api/v0/chat/resume_stream": stream({ ...session, message_id: needed(id) }),
  "POST /api/v0/chat/stop_stream": json({ ...session, message_id: id }),
  "POST /api/v0/chat/get_client_streams": json({
    ...session,
    client_stream_ids: { kind: "texts", max: 20, required: true },
  }),
  "POST /api/v0/share/create": json({
    ...session,
    message_ids: { kind: "ids", max: 1000, required: true },
    title: { ...text, max: 32, good: "A title" },
  }),
  "GET /api/v0/share/list": json({ count: id, lte_date: { kind: "number" } }),
  "POST /api/v0/share/delete": json({ share_id: needed(text) }),
  "GET /api/v0/share/content": { auth: "optional", answers: "json", fields: { share_id: needed(text) } },
  "POST /api/v0/share/fork": json({ share_id: needed(text), client_fork_id: { ...text, max: 64 } }),
  "POST /api/v0/chat/message_feedback": json({
    ...session,
    message_id: needed(id),
    feedback_type: { kind: "one_of", good: "GOOD", nullable: true },
    feedback_tag: { ...text, max: 64 },
    description: { ...text, max: 1000 },
  }),
};

/** The rows as a table for it.each. */
export const everyCall = Object.entries(requestFields).map(([name, call]) => {
  const [method = "", path = ""] = name.split(" ");
  return { name, method, path, ...call };
});
