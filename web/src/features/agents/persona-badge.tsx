import { usePersona } from "../../hooks/use-persona.ts";
import { Tooltip } from "../../ui/tooltip.tsx";
import { PersonaAvatar } from "./persona-avatar.tsx";

/** Whom a chat is with, beside its title. */
export function PersonaBadge({ id }: { id: string }) {
  const persona = usePersona(id);
  if (persona === undefined) return null;
  return (
    <Tooltip text={persona.name} side="bottom">
      <span role="img" aria-label={persona.name}>
        <PersonaAvatar persona={persona} size="small" />
      </span>
    </Tooltip>
  );
}
