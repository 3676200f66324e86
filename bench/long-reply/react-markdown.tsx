import { lexer } from "marked";
import { memo, useMemo } from "react";
import ReactMarkdown from "react-markdown";
import remarkGfm from "remark-gfm";
import { mount, type AnswerProps } from "./delivery.tsx";

const plugins = [remarkGfm];

const Block = memo(function Block({ source }: { source: string }) {
  return <ReactMarkdown remarkPlugins={plugins}>{source}</ReactMarkdown>;
});

function Answer({ text }: AnswerProps) {
  const blocks = useMemo(() => lexer(text).map((token) => token.raw), [text]);
  return blocks.map((source, index) => <Block key={index} source={source} />);
}

mount(Answer);
