/** The text limited to `maxCharacters`, and whether it is complete; never splits a surrogate pair. */
export function cutText(text: string, maxCharacters: number): { text: string; isWhole: boolean } {
  if (text.length <= maxCharacters) return { text, isWhole: true }
  const end = /[\uD800-\uDBFF]/.test(text[maxCharacters - 1] ?? '') ? maxCharacters - 1 : maxCharacters
  return { text: text.slice(0, end), isWhole: false }
}

/** The first `maxCharacters` of the text, followed by an ellipsis if it was truncated. */
export function withEllipsis(text: string, maxCharacters: number): string {
  const cut = cutText(text, maxCharacters)
  return cut.isWhole ? cut.text : `${cut.text}…`
}
