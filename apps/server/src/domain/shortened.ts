/** The text itself, or its first words with an ellipsis, at most `maxCharacters` in all. */
export function shortened(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  const cut = text.slice(0, maxCharacters - 1)
  const isBetweenWords = /\s/.test(text[maxCharacters - 1]!)
  const lastSpace = cut.search(/\s\S*$/)
  // A word that makes up most of the text is cut, but never inside a character.
  const isCutInside = isBetweenWords || lastSpace < maxCharacters / 2
  const kept = isCutInside ? cut.replace(/[\uD800-\uDBFF]$/, '') : cut.slice(0, lastSpace)
  return `${kept.trimEnd()}…`
}
