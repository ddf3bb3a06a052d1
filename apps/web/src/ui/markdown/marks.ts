/**
 * Marks are spans of a Markdown text that a component renders in its own way, such as the figures of an answer. Before the text is
 * parsed, each span is enclosed in characters for private use, which no syntax uses, so that positions in the source survive parsing.
 */
export interface Span {
  /** In UTF-16 units of the source. */
  start: number
  end: number
}

const open = '\uE000'
const close = '\uE001'
/** The character after `open` counts from here, up to the end of the range for private use. */
const firstIndex = 0xe100
const maxIndex = 0xf8ff - firstIndex

const reserved = /[\uE000-\uF8FF]/g

/** Encloses the spans, which are in order. A span that overlaps an earlier one or is not within the text is ignored. */
export function addMarks(text: string, spans: readonly Span[]): string {
  // A character of the text for private use could pass for a mark.
  const source = text.replaceAll(reserved, '\uFFFD')
  let marked = ''
  let at = 0
  for (const [index, { start, end }] of spans.entries()) {
    if (start < at || end <= start || end > source.length || index > maxIndex) continue
    marked += `${source.slice(at, start)}${open}${String.fromCharCode(firstIndex + index)}${source.slice(start, end)}${close}`
    at = end
  }
  return marked + source.slice(at)
}

/** For text that is shown as it is, such as code. */
export const removeMarks = (text: string) => text.replaceAll(reserved, '')

/** The mark that opens at a position: the index of its span, and where its content starts and ends. */
export function markAt(text: string, at: number): { index: number; start: number; end: number } | undefined {
  if (text[at] !== open) return undefined
  const end = text.indexOf(close, at)
  return end === -1 ? undefined : { index: text.charCodeAt(at + 1) - firstIndex, start: at + 2, end }
}

/** Whether the character belongs to a mark. One half of a mark remains if a block or an emphasis ends within it. */
export const isOfMark = (character: string) => character >= '\uE000' && character <= '\uF8FF'
