import { Link, useSearch } from "wouter";
import styles from "./form.module.css";

interface OtherWayProps {
  question?: string;
  to: string;
  text: string;
}

/** A line under a form that leads to another one, with where the visitor wanted to go. */
export function OtherWay({ question, to, text }: OtherWayProps) {
  const search = useSearch();
  return (
    <p className={styles.other}>
      {question}
      <Link href={search === "" ? to : `${to}?${search}`}>{text}</Link>
    </p>
  );
}
