/** Makes external text safe to store and show: well-formed, without NUL, and at most `maxCharacters` long. */
export function storable(text: string, maxCharacters: number): string {
  const clean = text.slice(0, maxCharacters * 2).toWellFormed().replaceAll('\0', '\ufffd')
  const characters = Array.from(clean)
  return characters.length <= maxCharacters ? clean : `${characters.slice(0, maxCharacters - 1).join('')}…`
}
