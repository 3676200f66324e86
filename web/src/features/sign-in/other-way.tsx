import { Link, useSearch } from "wouter";
import { cx } from "../../ui/cx.ts";
import styles from "./form.module.css";
import { withWanted } from "./wanted-page.ts";

interface OtherWayProps {
  question?: string;
  to: string;
  text: string;
}

/** A line under a form that leads to another one, with where the visitor wanted to go. */
export function OtherWay({ question, to, text }: OtherWayProps) {
  const search = useSearch();
  return (
    <p className={cx(styles.other, question === undefined && styles.alone)}>
      {question}
      <Link href={withWanted(to, search)}>{text}</Link>
    </p>
  );
}
