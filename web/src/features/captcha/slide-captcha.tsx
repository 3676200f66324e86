import { SLIDE_STEPS } from "@plumb/protocol/wire/captcha";
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import type { CaptchaFace } from "../../engine/guard/captcha-face.ts";
import { createSlidePuzzle } from "../../engine/guard/slide-puzzle.ts";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { cx } from "../../ui/cx.ts";
import { Icon } from "../../ui/icon.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import styles from "./slide-captcha.module.css";

const { short: STEP, long: LONG_STEP } = SLIDE_STEPS;
const KEY_STEPS: Readonly<Record<string, number>> = {
  ArrowRight: STEP,
  ArrowUp: STEP,
  ArrowLeft: -STEP,
  ArrowDown: -STEP,
  PageUp: LONG_STEP,
  PageDown: -LONG_STEP,
};
/** Of the handle under the picture. */
const HANDLE_WIDTH = 44;

/** The picture, its piece, and the handle that moves it: by pointer, or by keys and Enter. */
export function SlideCaptcha({ face }: { face: Pick<CaptchaFace, "beginSlide"> }) {
  const { t, show } = useTexts();
  const [slide] = useState(() => face.beginSlide(createSlidePuzzle));
  const { phase, puzzle, x, note } = useSelector(slide.store, (state) => state);
  const grip = useRef<{ clientX: number; clientY: number; x: number; scale: number } | null>(null);

  useEffect(() => {
    void slide.load();
  }, [slide]);

  const room = puzzle === null ? 1 : puzzle.width - puzzle.piece_width;
  const travelled = x / room;

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    if (phase !== "ready" || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    // The handle's way has another length than the piece's: at its end the piece is at its own.
    const way = (event.currentTarget.parentElement?.clientWidth ?? 0) - HANDLE_WIDTH;
    if (way <= 0) return;
    grip.current = { clientX: event.clientX, clientY: event.clientY, x, scale: room / way };
  }
  function onPointerMove(event: PointerEvent<HTMLElement>) {
    const { current } = grip;
    if (current === null) return;
    slide.move(
      current.x + (event.clientX - current.clientX) * current.scale,
      event.clientY - current.clientY,
    );
  }
  function onPointerUp() {
    if (grip.current === null) return;
    grip.current = null;
    void slide.release();
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = KEY_STEPS[event.key];
    if (step !== undefined) slide.step(step);
    else if (event.key === "Enter" || event.key === " ") void slide.release();
    else return;
    event.preventDefault();
  }

  return (
    <div className={styles.slide}>
      <div className={styles.picture} aria-busy={phase !== "ready"}>
        {puzzle !== null && (
          <>
            <img
              src={puzzle.background}
              width={puzzle.width}
              height={puzzle.height}
              alt=""
              draggable={false}
            />
            <img
              className={styles.piece}
              src={puzzle.piece}
              width={puzzle.piece_width}
              height={puzzle.piece_height}
              alt=""
              draggable={false}
              style={{
                top: `${(puzzle.piece_y / puzzle.height) * 100}%`,
                left: `${(x / puzzle.width) * 100}%`,
                width: `${(puzzle.piece_width / puzzle.width) * 100}%`,
              }}
            />
          </>
        )}
        {phase !== "ready" && (
          <span className={styles.busy}>
            <Spinner />
          </span>
        )}
      </div>
      <div className={cx(styles.track, phase !== "ready" && styles.resting)}>
        <span className={styles.hint} style={{ opacity: Math.max(0, 1 - travelled * 4) }}>
          {t("captcha.slide")}
        </span>
        <div
          className={styles.handle}
          role="slider"
          tabIndex={0}
          aria-label={t("captcha.slideByKeys")}
          aria-valuemin={0}
          aria-valuemax={room}
          aria-valuenow={Math.round(x)}
          aria-disabled={phase !== "ready"}
          style={{ left: `calc((100% - ${HANDLE_WIDTH}px) * ${travelled})` }}
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
          onPointerCancel={onPointerUp}
          onKeyDown={onKeyDown}
        >
          <Icon name="chevronRight" />
        </div>
      </div>
      <div className={styles.foot}>
        <p role="status" className={cx(styles.note, note?.isError === true && styles.problem)}>
          {note !== null && show(note.text)}
        </p>
        <IconButton icon="retry" label={t("captcha.reset")} onClick={() => void slide.load()} />
      </div>
    </div>
  );
}
