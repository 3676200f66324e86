import styles from "./markdown.module.css";

/** The block of an answer that an element belongs to; the element itself where it stands in none. */
export function blockAround(element: Element): Element {
  return element.closest(`.${styles["group"]} > *`) ?? element;
}
