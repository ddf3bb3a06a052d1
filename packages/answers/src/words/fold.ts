/** Lower case without accents, so that words compare as people read them: `Zwölf` → `zwolf`, `Straße` → `strasse`. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (isAscii.test(lower)) return lower
  return lower.normalize('NFKD').replaceAll(/\p{M}+/gu, '').replaceAll('ß', 'ss').replaceAll('œ', 'oe').replaceAll('æ', 'ae').replaceAll('ı', 'i').replaceAll('’', "'")
}

const isAscii = /^[\0-\x7f]*$/

export const wordSet = (...lists: string[]): ReadonlySet<string> =>
  new Set(lists.flatMap((list) => list.split(/\s+/)).filter((word) => word !== '').map(fold))

/** Whether two folded words are forms of the same one: order, orders; refund, refunded; country, countries. */
export function isSameWord(a: string, b: string): boolean {
  if (a === b) return true
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length < 3) return false
  if (long === `${short}s` || long === `${short}es` || long === `${short}'s`) return true
  if (short.endsWith('y') && long === `${short.slice(0, -1)}ies`) return true
  let shared = 0
  while (shared < short.length && short[shared] === long[shared]) shared++
  return shared >= 5 && shared >= long.length - 3
}
