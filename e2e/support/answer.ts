export type Json = Record<string, unknown>;

/** An answer in the envelope (wire-contract.md §1.4). `biz` is null for a global error. */
export interface Answer {
  status: number;
  code: number;
  biz: { code: number; message: string; data: Json | null } | null;
}

export function readAnswer(status: number, body: unknown): Answer {
  const { code, data } = body as {
    code: number;
    data: { biz_code: number; biz_msg: string; biz_data: Json | null } | null;
  };
  const biz = data === null ? null : { code: data.biz_code, message: data.biz_msg, data: data.biz_data };
  return { status, code, biz };
}
