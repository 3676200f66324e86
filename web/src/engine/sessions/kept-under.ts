// The names under which what is not sent yet is kept in the browser.

export const KEPT_DRAFTS = "plumb.drafts";
/** Of the files that are attached to drafts. */
export const KEPT_FILES = "plumb.draftFiles";
/** What is sent with messages that are queued. */
export const KEPT_QUEUE = "plumb.queue";
/** The newest chats of the list, and whose they are. */
export const KEPT_LIST = "plumb.list";
/** The names of copies of shares that are asked for. */
export const KEPT_FORKS = "plumb.forks";
/** The signature of the phone that is being bound to an account of WeChat, and until when it is good. */
export const KEPT_SIGNATURE = "plumb.wechat";
/** What a sign-in elsewhere is to confirm, in this tab. */
export const KEPT_ERRAND = "plumb.confirming";
