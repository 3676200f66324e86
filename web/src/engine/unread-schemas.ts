// What `zod/mini` is in the built page (docs/decisions/0009): the calls of the protocol are made with it as they load,
// and no page ever checks a request against them. It can build schemas and nothing else; a page that wanted to check
// something would not build.

interface Unread {
  check: () => Unread;
}
const unread: Unread = { check: () => unread };

/* @__NO_SIDE_EFFECTS__ */
function make(): Unread {
  return unread;
}

export {
  make as array,
  make as boolean,
  make as catch,
  make as enum,
  make as gte,
  make as int,
  make as lte,
  make as maxLength,
  make as nullable,
  make as number,
  make as object,
  make as optional,
  make as pipe,
  make as record,
  make as refine,
  make as regex,
  make as string,
  make as transform,
  make as union,
  make as unknown,
};
