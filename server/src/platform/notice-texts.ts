// What the owner of an account is told of it, in both languages.
import { LIMITS } from "@plumb/protocol/limits";
import type { Locale } from "@plumb/protocol/rules/edition-rules";
import type { Notice } from "../ports/mailer.ts";

const HOURS = LIMITS.undoBindingLifeSecs / 3600;

type Texts = Readonly<Record<Notice["about"], string>>;

/** What happened to the account. */
const happened: Readonly<Record<Locale, (brandName: string) => Texts>> = {
  en_US: (brandName) => ({
    phone_bound: `A phone number was added to your ${brandName} account. It can be used to sign in.`,
    wechat_bound: `A WeChat account was added to your ${brandName} account. It can be used to sign in.`,
    google_bound: `A Google account was added to your ${brandName} account. It can be used to sign in.`,
    phone_unbound: `The phone number was removed from your ${brandName} account.`,
    wechat_unbound: `The WeChat account was removed from your ${brandName} account.`,
    google_unbound: `The Google account was removed from your ${brandName} account.`,
    password_changed: `The password of your ${brandName} account was changed, and all devices were signed out.`,
  }),
  zh_CN: (brandName) => ({
    phone_bound: `你的 ${brandName} 账号绑定了一个手机号，可用它登录。`,
    wechat_bound: `你的 ${brandName} 账号绑定了一个微信，可用它登录。`,
    google_bound: `你的 ${brandName} 账号绑定了一个 Google 账号，可用它登录。`,
    phone_unbound: `你的 ${brandName} 账号已解绑手机号。`,
    wechat_unbound: `你的 ${brandName} 账号已解绑微信。`,
    google_unbound: `你的 ${brandName} 账号已解绑 Google 账号。`,
    password_changed: `你的 ${brandName} 账号密码已被修改，所有设备均已退出登录。`,
  }),
};

const subjects: Readonly<Record<Locale, (brandName: string) => Texts>> = {
  en_US: (brandName) => ({
    phone_bound: `A phone number was added to your ${brandName} account`,
    wechat_bound: `WeChat was added to your ${brandName} account`,
    google_bound: `Google was added to your ${brandName} account`,
    phone_unbound: `The phone number was removed from your ${brandName} account`,
    wechat_unbound: `WeChat was removed from your ${brandName} account`,
    google_unbound: `Google was removed from your ${brandName} account`,
    password_changed: `Your ${brandName} password was changed`,
  }),
  zh_CN: (brandName) => ({
    phone_bound: `你的 ${brandName} 账号已绑定手机号`,
    wechat_bound: `你的 ${brandName} 账号已绑定微信`,
    google_bound: `你的 ${brandName} 账号已绑定 Google`,
    phone_unbound: `你的 ${brandName} 账号已解绑手机号`,
    wechat_unbound: `你的 ${brandName} 账号已解绑微信`,
    google_unbound: `你的 ${brandName} 账号已解绑 Google`,
    password_changed: `你的 ${brandName} 密码已被修改`,
  }),
};

interface Advice {
  /** Stand around the link. */
  before: string;
  after: string;
  /** Where there is nothing to undo. */
  withoutLink: string;
}

const advice: Readonly<Record<Locale, Advice>> = {
  en_US: {
    before: `If this was not you, open this link within ${HOURS} hours. It removes what was added and signs out all devices:`,
    after: "If it was you, there is nothing to do. Do not share the link.",
    withoutLink:
      'If this was not you, choose "Forgot password" on the sign-in page now and set a new password.',
  },
  zh_CN: {
    before: `如非本人操作，请在 ${HOURS} 小时内打开以下链接，解除绑定并退出所有设备：`,
    after: "如为本人操作，请忽略。请勿将链接告知他人。",
    withoutLink: "如非本人操作，请立即在登录页通过“忘记密码”重设密码。",
  },
};

export interface NoticeMailText {
  subject: string;
  /** Paragraphs around the link, where there is one. */
  before: string[];
  after: string[];
}

export function noticeMailText({ about, link }: Notice, brandName: string, locale: Locale): NoticeMailText {
  const { before, after, withoutLink } = advice[locale];
  const what = happened[locale](brandName)[about];
  return {
    subject: subjects[locale](brandName)[about],
    before: [what, link === null ? withoutLink : before],
    after: link === null ? [] : [after],
  };
}

/** The text message. Chinese gateways ask for the sender's name in such brackets at its beginning. */
export function noticeText({ about, link }: Notice, brandName: string, locale: Locale): string {
  const { before, withoutLink } = advice[locale];
  const told = [happened[locale](brandName)[about], ...(link === null ? [withoutLink] : [before, link])].join(
    " ",
  );
  return locale === "zh_CN" ? `【${brandName}】${told}` : told;
}
