import { GoneNotice } from "./gone-notice.tsx";
import { PersonaBadge } from "./persona-badge.tsx";
import { PersonaTiles } from "./persona-tiles.tsx";
import { PersonaWelcome } from "./persona-welcome.tsx";

type PersonaPartProps =
  { show: "tiles" } | { show: "welcome" | "badge"; id: string } | { show: "gone"; isChat: boolean };

/** What is shown of personas in chats, loaded as one: few chats need any of it, and those need all. */
export function PersonaPart(props: PersonaPartProps) {
  switch (props.show) {
    case "tiles":
      return <PersonaTiles />;
    case "welcome":
      return <PersonaWelcome id={props.id} />;
    case "badge":
      return <PersonaBadge id={props.id} />;
    case "gone":
      return <GoneNotice isChat={props.isChat} />;
  }
}
