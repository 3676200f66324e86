import type { TypedCharacter } from "@plumb/protocol/rules/character-rules";
import type { Character } from "@plumb/protocol/wire/agents";
import { useEffect, useId, useRef, useState } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useSider } from "../../hooks/use-sider.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DeletePersona } from "./delete-persona.tsx";
import { PersonaForm } from "./persona-form.tsx";
import { chatElementId, PersonaList } from "./persona-list.tsx";
import { afterSave, type Writing } from "./persona-writing.ts";
import styles from "./personas-dialog.module.css";

const EMPTY: TypedCharacter = {
  name: "",
  greeting: null,
  instructions: "",
  avatar_text: null,
  avatar_color: null,
};

/** The user's personas: a list, and a form to write one. */
export function PersonasDialog() {
  const engine = useEngine();
  const { t } = useTexts();
  const { closeSheet } = useSider();
  const formId = useId();
  const open = useSelector(engine.site.overlays, (state) => state.personas);
  const made = useSelector(engine.agents.store, ({ characters }) => characters?.length ?? null);
  const max = useSelector(engine.agents.store, (state) => state.maxCount);
  /** It outlives a dialog that is closed: nothing typed is lost. */
  const [writing, setWriting] = useState<Writing | null>(null);
  const forms = useRef(0);
  const [saving, setSaving] = useState(false);
  const [deleting, setDeleting] = useState<Character | null>(null);
  const create = useRef<HTMLButtonElement>(null);
  /** What the focus goes to when the list is shown again. */
  const [returnTo, setReturnTo] = useState<string | null>(null);
  const isFull = made !== null && max > 0 && made >= max;

  useEffect(() => {
    if (open) void engine.agents.load();
  }, [engine, open]);
  useEffect(() => {
    if (returnTo === null || writing !== null) return;
    (document.getElementById(returnTo) ?? create.current)?.focus();
  }, [returnTo, writing]);

  const close = () => engine.site.setOverlays({ personas: false });
  function leave() {
    close();
    // The dialog may have been opened from it.
    closeSheet();
  }
  function write(persona: Character | null, typed: TypedCharacter) {
    forms.current += 1;
    setWriting({ form: forms.current, persona, typed, problems: [] });
  }
  function focusInList(id: string | null) {
    setReturnTo(id === null ? "" : chatElementId(id));
  }

  async function save(saved: Writing) {
    const { persona, typed } = saved;
    setSaving(true);
    const result = await engine.agents.save(persona?.id ?? null, typed);
    setSaving(false);
    if (result.ok) {
      engine.site.showToast({ type: "success", text: { key: "persona.saved" } });
      focusInList(result.character.id);
    }
    setWriting((now) => afterSave(now, saved, result));
  }

  const body =
    writing === null ? (
      <PersonaList onEdit={(persona) => write(persona, persona)} onDelete={setDeleting} onLeave={leave} />
    ) : (
      <PersonaForm
        formId={formId}
        persona={writing.persona}
        typed={writing.typed}
        problems={writing.problems}
        onType={(change) => setWriting({ ...writing, typed: { ...writing.typed, ...change } })}
        onSubmit={() => void save(writing)}
      />
    );
  const footer =
    writing === null ? (
      <>
        <span className={styles.count}>
          {made !== null && (isFull ? t("maxCharactersReached") : t("persona.made", { made, max }))}
        </span>
        <Button
          ref={create}
          variant="primary"
          disabled={made === null || isFull}
          onClick={() => write(null, EMPTY)}
        >
          {t("persona.create")}
        </Button>
      </>
    ) : (
      <>
        <Button
          onClick={() => {
            focusInList(writing.persona?.id ?? null);
            setWriting(null);
          }}
        >
          {t("common.cancel")}
        </Button>
        <Button variant="primary" type="submit" form={formId} loading={saving}>
          {t("persona.save")}
        </Button>
      </>
    );
  const title =
    writing === null ? "profile.roles" : writing.persona === null ? "persona.create" : "persona.edit";

  return (
    <>
      <Dialog
        open={open}
        onClose={close}
        title={t(title)}
        closeLabel={t("common.close")}
        size="medium"
        {...(writing === null ? { description: t("persona.about") } : {})}
        footer={footer}
      >
        {body}
      </Dialog>
      {deleting !== null && (
        <DeletePersona
          persona={deleting}
          onClose={() => setDeleting(null)}
          focusInstead={() => create.current}
        />
      )}
    </>
  );
}
