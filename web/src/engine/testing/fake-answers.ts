// Answers of a server, as tests write them: envelopes of every kind, and a body that stays open.

export const LOG_ID = "0123456789abcdef0123456789abcdef";
const HEADERS = { "content-type": "application/json; charset=utf-8", "x-ds-trace-id": LOG_ID };

export function ok(data: unknown, bizCode = 0, bizMsg = ""): Response {
  const envelope = {
    code: 0,
    msg: "",
    data: { biz_code: bizCode, biz_msg: bizMsg, biz_data: data, code: bizCode },
    context: { logId: LOG_ID },
  };
  return new Response(JSON.stringify(envelope), { headers: HEADERS });
}

export function refused(code: number, msg: string, data: unknown = null): Response {
  const envelope = {
    code: 0,
    msg: "",
    data: { biz_code: code, biz_msg: msg, biz_data: data, code },
    context: { logId: LOG_ID },
  };
  return new Response(JSON.stringify(envelope), { headers: HEADERS });
}

export function globalError(code: number, msg: string, status = 200, data: unknown = null): Response {
  return new Response(JSON.stringify({ code, msg, data, context: { logId: LOG_ID } }), {
    status,
    headers: HEADERS,
  });
}

/** An event stream the test writes by hand; it ends with an error when `signal` aborts. */
export function openBody(signal: AbortSignal | undefined) {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  let open = true;
  const stream = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
    cancel: () => {
      open = false;
    },
  });
  const stop = (how: () => void): void => {
    if (open) how();
    open = false;
  };
  signal?.addEventListener("abort", () =>
    stop(() => controller.error(new DOMException("aborted", "AbortError"))),
  );
  return {
    response: new Response(stream, {
      headers: { ...HEADERS, "content-type": "text/event-stream; charset=utf-8" },
    }),
    isOpen: (): boolean => open,
    push: (text: string): void => {
      if (open) controller.enqueue(new TextEncoder().encode(text));
    },
    end: (): void => stop(() => controller.close()),
    cut: (): void => stop(() => controller.error(new TypeError("network error"))),
  };
}
