/** Tags as people type them, separated by commas. Tags that differ only in case are the same; the last one counts. */
export function tagsIn(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim().replaceAll(/\s+/g, ' ')).filter((tag) => tag !== '')
  return [...new Map(tags.map((tag) => [tag.toLowerCase(), tag])).values()]
}

export const tagText = (tags: readonly string[]): string => tags.join(', ')

/** Tags that fit the beginning of the last one, and are not there yet. */
export function suggestionsFor(text: string, known: readonly string[]): string[] {
  const chosen = new Set(tagsIn(text).map((tag) => tag.toLowerCase()))
  const typed = text.slice(text.lastIndexOf(',') + 1).trim().toLowerCase()
  const isFitting = (tag: string) => tag.toLowerCase().startsWith(chosen.has(typed) && known.some((each) => each.toLowerCase() === typed) ? '' : typed)
  return known.filter((tag) => !chosen.has(tag.toLowerCase()) && isFitting(tag)).slice(0, 8)
}

/** The text with the suggestion in place of what was typed of it. */
export function withSuggestion(text: string, tag: string): string {
  const typed = text.slice(text.lastIndexOf(',') + 1).trim().toLowerCase()
  const kept = typed !== '' && tag.toLowerCase().startsWith(typed) ? text.slice(0, text.lastIndexOf(',') + 1) : text
  return tagText([...tagsIn(kept), tag])
}
