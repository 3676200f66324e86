import { useEffect, useState } from "react";
import { useLocationProperty } from "wouter/use-browser-location";

const isSecondEntry = (state: unknown): boolean =>
  typeof state === "object" && state !== null && "isSecondStep" in state;

/**
 * A second step of a form as an entry of the tab's history, so that the browser's Back leads to the first one. It is shown
 * only while what the first step found out is known: after a reload, or once that has changed, its entry leads back.
 */
export function useSecondStep() {
  // No state of React: a render between the two would see the entry without what it needs.
  const [found] = useState({ isKnown: false });
  const entry = useLocationProperty(
    () => (isSecondEntry(history.state) ? (found.isKnown ? "second" : "lost") : "first"),
    () => "first",
  );
  useEffect(() => {
    if (entry === "lost") history.back();
  }, [entry]);
  return {
    isShown: entry === "second",
    enter() {
      found.isKnown = true;
      history.pushState({ isSecondStep: true }, "");
    },
    /** What the first step found out is good no more. */
    forget() {
      found.isKnown = false;
    },
    back: () => history.back(),
  };
}
