/**
 * The business constants under one name. A namespace of single exports: the page is built with those that it uses, where
 * of an object it would get all.
 */
export * as LIMITS from "./limit-values.ts";
