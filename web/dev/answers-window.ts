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
    growAnswer: (text: string) => HeightJump[];
  }
}
