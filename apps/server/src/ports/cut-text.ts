/** A text of at most `maxCharacters`, and whether something had to go; never half of a surrogate pair. */
export function cutText(text: string, maxCharacters: number): { text: string; isWhole: boolean } {
  if (text.length <= maxCharacters) return { text, isWhole: true }
  const end = /[\uD800-\uDBFF]/.test(text[maxCharacters - 1] ?? '') ? maxCharacters - 1 : maxCharacters
  return { text: text.slice(0, end), isWhole: false }
}

/** As much of the text as has `maxCharacters`; an ellipsis, which comes on top of them, stands for the rest. */
export function withEllipsis(text: string, maxCharacters: number): string {
  const cut = cutText(text, maxCharacters)
  return cut.isWhole ? cut.text : `${cut.text}…`
}
