/**
 * Whether a browser would do more with a text than show it. Normalizes what CSS and browsers ignore: case, whitespace, control
 * characters, comments, escapes.
 */
export function isActive(text: string): boolean {
  const plain = text
    .replaceAll(/\\([0-9A-Fa-f]{1,6})\s?/g, (_, digits: string) =>
      String.fromCodePoint(Math.min(Number.parseInt(digits, 16), 0x10ffff)),
    )
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/[\s\p{Cc}\p{Cf}\\]/gu, '')
    .toLowerCase()
  return /url\(|src\(|image\(|image-set\(|element\(|expression\(|@import|javascript:|vbscript:|data:\w+\//.test(plain)
}
