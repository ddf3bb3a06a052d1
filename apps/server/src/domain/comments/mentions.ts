/** A mention in the text of a comment: `@[user_…]`. */
const mention = /@\[(user_\w{1,64})\]/g

/** The people whom a text mentions, each once, in order. */
export const mentionedIds = (text: string): string[] => [...new Set(Array.from(text.matchAll(mention), ([, id]) => id!))]

/** The text with names in place of ids. An id without a name is left out. */
export const withNames = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replaceAll(mention, (_, id: string) => (names.has(id) ? `@${names.get(id)!}` : '@…'))
