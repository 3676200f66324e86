/**
 * Take the place of the package `uc.micro` in the built page, which writes out as ranges what every browser's own
 * patterns know (docs/decisions/0020). markdown-it asks these two about the characters beside `*` and `_`.
 */
export const P = /\p{P}/u;
export const S = /\p{S}/u;
