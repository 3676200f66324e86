// What the page of answers offers to a journey.

/** A change of a block's height where there should be none. */
export interface HeightJump {
  at: string;
  block: string;
  pixels: number;
}

declare global {
  interface Window {
    answers: readonly string[];
    showAnswer: (text: string) => void;
    /** The text of the answer that is shown: more of it, or all of it. */
    continueAnswer: (text: string, streaming: boolean) => void;
    growAnswer: (text: string) => HeightJump[];
  }
}
