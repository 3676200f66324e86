// What a share's page shows before its script has run: the line above, the warning and the first question, at the places that
// SharedChat gives them. The build draws it once (dev/share-opening.ts), the server fills in the words.
import conversation from "../features/conversation/conversation.module.css";
import item from "../features/conversation/message-item.module.css";
import message from "../features/conversation/user-message.module.css";
import header from "../features/header/session-header.module.css";
import sharedHeader from "../features/header/shared-header.module.css";
import en from "../i18n/sharing.en_US.json";
import zh from "../i18n/sharing.zh_CN.json";
import { Icon } from "../ui/icon.tsx";
import { Mark } from "../ui/mark.tsx";
import shared from "./shared-chat.module.css";

/** A text in both languages: which of them shows the first script decides. */
export function BothTexts({ name }: { name: keyof typeof en }) {
  return (
    <>
      <span lang="en-US">{en[name]}</span>
      <span lang="zh-CN">{zh[name]}</span>
    </>
  );
}

/** `title` and `question` are what stands in their places. Hidden from screen readers, who get the page itself. */
export function ShareOpening({ title, question }: { title: string; question: string }) {
  return (
    <div id="opening" aria-hidden="true">
      <div className={shared.screen}>
        <div className={header.header}>
          <div className={sharedHeader.side}>
            <span className={sharedHeader.logo}>
              <Mark size={24} />
            </span>
          </div>
          <div className={sharedHeader.middle}>
            <p className={sharedHeader.title} dir="auto">
              {title}
            </p>
          </div>
          <div className={sharedHeader.end}>
            <span className={sharedHeader.signIn}>
              <BothTexts name="shared.signIn" />
            </span>
          </div>
        </div>
        <p className={shared.banner}>
          <Icon name="info" small />
          <BothTexts name="shared.banner" />
        </p>
        <div className={conversation.conversation}>
          <div className={conversation.scroller}>
            <div className={conversation.column}>
              <div className={item.item}>
                <div className={message.message}>
                  <div className={message.bubble} dir="auto">
                    {question}
                  </div>
                </div>
              </div>
            </div>
          </div>
        </div>
      </div>
    </div>
  );
}
