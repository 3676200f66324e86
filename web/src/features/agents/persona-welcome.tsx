import { usePersona } from "../../hooks/use-persona.ts";
import { cx } from "../../ui/cx.ts";
import { PersonaAvatar } from "./persona-avatar.tsx";
import styles from "./persona-welcome.module.css";

/** A greeting of a line or two stands in the middle, as the name does. */
const SHORT_CHARS = 120;

/** Who answers here, and what it says before anybody has said anything. */
export function PersonaWelcome({ id }: { id: string }) {
  const persona = usePersona(id);
  if (persona === undefined) return null;
  const { name, greeting } = persona;
  const isShort = greeting !== null && greeting.length <= SHORT_CHARS && !greeting.includes("\n");
  return (
    <div className={styles.welcome}>
      <PersonaAvatar persona={persona} size="large" />
      <h1 className={styles.name} dir="auto">
        {name}
      </h1>
      {greeting !== null && (
        // A long one scrolls, by keys too.
        <p
          className={cx(styles.greeting, isShort && styles.short)}
          dir="auto"
          tabIndex={isShort ? undefined : 0}
        >
          {greeting}
        </p>
      )}
    </div>
  );
}
