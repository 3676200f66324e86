import { usePersona } from "../../hooks/use-persona.ts";
import { PersonaAvatar } from "./persona-avatar.tsx";
import styles from "./persona-welcome.module.css";

/** Who answers here, and what it says before anybody has said anything. */
export function PersonaWelcome({ id }: { id: string }) {
  const persona = usePersona(id);
  if (persona === undefined) return null;
  const { name, greeting } = persona;
  return (
    <div className={styles.welcome}>
      <PersonaAvatar persona={persona} size="large" />
      <h1 className={styles.name} dir="auto">
        {name}
      </h1>
      {greeting !== null && (
        // A long one scrolls, by keys too.
        <p className={styles.greeting} dir="auto" tabIndex={greeting.length > 160 ? 0 : undefined}>
          {greeting}
        </p>
      )}
    </div>
  );
}
