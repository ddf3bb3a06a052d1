import { withEllipsis } from '../ports/cut-text.ts'

/** Longer comments are cut: they describe a table or a column, and thousands of them are read at a time. */
const commentMaxCharacters = 1000

/** A comment as the database returned it; null if there is none. */
export function commentOf(text: string | null | undefined): string | null {
  const comment = text?.trim() ?? ''
  return comment === '' ? null : withEllipsis(comment, commentMaxCharacters)
}
