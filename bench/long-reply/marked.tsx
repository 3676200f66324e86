import { lexer, parse } from "marked";
import { memo, useMemo } from "react";
import { mount, type AnswerProps } from "./delivery.tsx";

const Block = memo(function Block({ source }: { source: string }) {
  const html = useMemo(() => ({ __html: parse(source, { async: false }) }), [source]);
  return <div dangerouslySetInnerHTML={html} />;
});

function Answer({ text }: AnswerProps) {
  const blocks = useMemo(() => lexer(text).map((token) => token.raw), [text]);
  return blocks.map((source, index) => <Block key={index} source={source} />);
}

mount(Answer);
