import { Streamdown } from "streamdown";
import { mount, type AnswerProps } from "./delivery.tsx";

function Answer({ text, streaming }: AnswerProps) {
  return <Streamdown isAnimating={streaming}>{text}</Streamdown>;
}

mount(Answer);
