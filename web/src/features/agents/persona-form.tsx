import { LIMITS } from "@plumb/protocol/limits";
import {
  type CharacterProblem,
  CHARACTER_PROBLEMS,
  fitCharacter,
  type TypedCharacter,
} from "@plumb/protocol/rules/character-rules";
import type { Character } from "@plumb/protocol/wire/agents";
import { useEffect, useRef } from "react";
import { useTouch } from "../../hooks/use-media.ts";
import type { TextKey } from "../../i18n/i18n.ts";
import { dayAndTimeText } from "../../i18n/moment-text.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { ColorChoice } from "./color-choice.tsx";
import { PersonaAvatar } from "./persona-avatar.tsx";
import { PersonaField } from "./persona-field.tsx";
import styles from "./persona-form.module.css";

interface PersonaFormProps {
  formId: string;
  /** The one that is edited; null for a new one. */
  persona: Character | null;
  typed: TypedCharacter;
  problems: readonly CharacterProblem[];
  onType: (change: Partial<TypedCharacter>) => void;
  onSubmit: () => void;
}

const problemTexts: Record<CharacterProblem, TextKey> = {
  "name-empty": "persona.nameEmpty",
  "name-too-long": "persona.nameTooLong",
  "instructions-empty": "persona.instructionsEmpty",
  "instructions-too-long": "persona.instructionsTooLong",
  "greeting-too-long": "persona.greetingTooLong",
  "avatar-invalid": "persona.avatarInvalid",
};
const fieldProblems = {
  name: ["name-empty", "name-too-long"],
  avatar: ["avatar-invalid"],
  greeting: ["greeting-too-long"],
  instructions: ["instructions-empty", "instructions-too-long"],
} as const satisfies Record<string, readonly CharacterProblem[]>;
type Field = keyof typeof fieldProblems;
const fields = Object.keys(fieldProblems) as Field[];

/** What makes a persona, with what is wrong beside each field. */
export function PersonaForm({ formId, persona, typed, problems, onType, onSubmit }: PersonaFormProps) {
  const { t } = useTexts();
  const touch = useTouch();
  const inputs = useRef<Partial<Record<Field, HTMLElement | null>>>({});
  const shown = fitCharacter(typed);
  const problemOf = (field: Field) =>
    CHARACTER_PROBLEMS.find(
      (one) => problems.includes(one) && fieldProblems[field].some((own) => own === one),
    );
  const errorOf = (field: Field) => {
    const problem = problemOf(field);
    return problem === undefined ? null : t(problemTexts[problem]);
  };
  const refOf = (field: Field) => (element: HTMLElement | null) => {
    inputs.current[field] = element;
  };

  useEffect(() => {
    if (!touch) inputs.current.name?.focus();
  }, [touch]);
  useEffect(() => {
    const first = fields.find((field) => fieldProblems[field].some((one) => problems.includes(one)));
    if (first !== undefined) inputs.current[first]?.focus();
  }, [problems]);

  return (
    <form
      id={formId}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <PersonaField
        ref={refOf("name")}
        label={t("persona.name")}
        value={typed.name}
        max={LIMITS.characterNameChars}
        error={errorOf("name")}
        onChange={(name) => onType({ name })}
      />
      <div className={styles.avatar}>
        <PersonaAvatar persona={shown} size="large" />
        <div className={styles.avatarFields}>
          <PersonaField
            ref={refOf("avatar")}
            label={t("persona.avatarText")}
            value={typed.avatar_text ?? ""}
            max={LIMITS.characterAvatarChars}
            error={errorOf("avatar")}
            placeholder={fitCharacter({ ...typed, avatar_text: null }).avatar_text}
            onChange={(text) => onType({ avatar_text: text })}
          />
          <ColorChoice value={shown.avatar_color} onChange={(color) => onType({ avatar_color: color })} />
        </div>
      </div>
      <PersonaField
        ref={refOf("greeting")}
        label={t("persona.greeting")}
        value={typed.greeting ?? ""}
        max={LIMITS.characterGreetingChars}
        error={errorOf("greeting")}
        hint={t("persona.greetingHint")}
        rows={2}
        onChange={(greeting) => onType({ greeting })}
      />
      <PersonaField
        ref={refOf("instructions")}
        label={t("persona.instructions")}
        value={typed.instructions}
        max={LIMITS.characterInstructionsChars}
        error={errorOf("instructions")}
        hint={t("persona.instructionsHint")}
        rows={6}
        onChange={(instructions) => onType({ instructions })}
      />
      {persona !== null && (
        <p className={styles.changed}>{t("persona.changed", { date: dayAndTimeText(persona.updated_at) })}</p>
      )}
    </form>
  );
}
