import { getMessage } from "@plumb/protocol/conversation/message-tree";
import { memo, useEffect, useState, type RefObject } from "react";
import type { ClientMessage } from "../../engine/sessions/client-message.ts";
import type { ClientSession } from "../../engine/sessions/client-session.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { makeWhenIdle } from "../../markdown/make-queue.ts";
import { undrawnMessages } from "../../markdown/undrawn.ts";
import { useNear } from "../../markdown/use-near.ts";
import { FarMessage } from "./far-message.tsx";
import { likelyHeight } from "./likely-height.ts";
import { sameMessages, type MessageGroup, type ShownMessage } from "./message-groups.ts";
import { MessageItem } from "./message-item.tsx";
import { messageParts } from "./message-parts.ts";
import styles from "./message-item.module.css";

/** What the places of a group's messages cost. */
const COST = 1000;

type GroupProps = MessageGroup & { sessionKey: string };

function sameGroup(a: GroupProps, b: GroupProps): boolean {
  return (
    a.sessionKey === b.sessionKey &&
    a.skippable === b.skippable &&
    a.atOnceFrom === b.atOnceFrom &&
    a.atOnceTo === b.atOnceTo &&
    a.last === b.last &&
    sameMessages(a.messages, b.messages)
  );
}

/** The messages of a group: one by one where the reader is or comes near, else as one element. */
export const MessageGroupView = memo(function MessageGroupView(group: GroupProps) {
  const { sessionKey, messages, skippable, atOnceFrom, atOnceTo, last } = group;
  const isOpen = skippable < messages.length || atOnceFrom < atOnceTo;
  const { place, isNear } = useNear(() => COST, "always", isOpen);
  if (!isNear) return <FarGroup sessionKey={sessionKey} messages={messages} place={place} />;
  return messages.map(({ key, id }, index) => (
    <MessageItem
      key={key}
      sessionKey={sessionKey}
      messageId={id}
      isLast={index === last}
      skippable={index < skippable}
      atOnce={index >= atOnceFrom && index < atOnceTo}
    />
  ));
}, sameGroup);

interface FarGroupProps {
  sessionKey: string;
  messages: readonly ShownMessage[];
  place: RefObject<HTMLElement | null>;
}

/** The messages of a group that is far from the screen; their words come when the page has nothing else to do. */
function FarGroup({ sessionKey, messages, place }: FarGroupProps) {
  const { sessions } = useEngine();
  const { t } = useTexts();
  const [read] = useState(createReader);
  const stored = useSelector(sessions.store, ({ byId }) => read(byId[sessionKey]?.tree, messages));
  const [isFilled, setFilled] = useState(false);
  useEffect(() => makeWhenIdle(() => setFilled(true)), []);
  const height = stored.reduce((sum, message) => sum + likelyHeight(message), 0);
  return (
    <div
      ref={(element) => {
        place.current = element;
        if (element !== null) undrawnMessages.set(element, () => stored.map(messageParts));
      }}
      className={styles.farGroup}
      style={{ height }}
      data-message-group
    >
      {isFilled && stored.map((message) => <FarMessage key={message.key} message={message} t={t} />)}
    </div>
  );
}

/**
 * Reads messages from one tree after another; the same array while they are the same. It runs with each key that is typed
 * and each frame of a growing reply, for every group.
 */
function createReader() {
  let tree: ClientSession["tree"] | undefined;
  let asked: readonly ShownMessage[] = [];
  let stored: readonly ClientMessage[] = [];
  return (now: ClientSession["tree"] | undefined, messages: readonly ShownMessage[]) => {
    if (now === tree && messages === asked) return stored;
    const isSame =
      messages === asked &&
      now !== undefined &&
      stored.every((one) => getMessage(now, one.message_id) === one);
    if (!isSame) stored = now === undefined ? [] : messages.flatMap(({ id }) => getMessage(now, id) ?? []);
    tree = now;
    asked = messages;
    return stored;
  };
}
