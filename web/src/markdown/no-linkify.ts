/**
 * Takes the place of the package `linkify-it` in the built page: bare addresses are found by bare-links.ts, and
 * markdown-it only makes one of these and never asks it (docs/decisions/0019).
 */
export class LinkifyIt {}
