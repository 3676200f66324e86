import { Link } from "wouter";
import { agentPath } from "../../engine/reactions.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { ScrollArrows } from "../../ui/scroll-arrows.tsx";
import { PersonaAvatar } from "./persona-avatar.tsx";
import styles from "./persona-tiles.module.css";

/** The others are behind one more tile. */
const MOST_TILES = 7;

/** The user's personas on the welcome page, those that were changed last. Nothing where there are none. */
export function PersonaTiles() {
  const engine = useEngine();
  const { t } = useTexts();
  const characters = useSelector(engine.agents.store, (state) => state.characters);
  if (characters === null || characters.length === 0) return null;
  const shown = characters.length > MOST_TILES + 1 ? characters.slice(0, MOST_TILES) : characters;
  return (
    <ScrollArrows className={styles.place} backLabel={t("persona.tilesBack")} onLabel={t("persona.tilesOn")}>
      <ul className={styles.tiles} aria-label={t("persona.tiles")}>
        {shown.map((persona) => (
          <li key={persona.id} className={styles.item}>
            <Link href={agentPath(persona.id)} className={styles.tile}>
              <PersonaAvatar persona={persona} size="small" />
              <span className={styles.name} dir="auto">
                {persona.name}
              </span>
            </Link>
          </li>
        ))}
        {shown.length < characters.length && (
          <li className={styles.item}>
            <button
              type="button"
              className={styles.tile}
              onClick={() => engine.site.setOverlays({ personas: true })}
            >
              {t("persona.all")}
            </button>
          </li>
        )}
      </ul>
    </ScrollArrows>
  );
}
