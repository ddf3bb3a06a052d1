/** What inserting a name at the cursor does: the characters before it to remove, and the text to insert. */
export interface Insertion {
  replacedBefore: number
  text: string
}

/**
 * Inserts a name between `before` and `after` with the spaces that SQL needs. A word that was started before the cursor is
 * completed if the name begins with it; a name is never glued to the word beside it.
 */
export function insertionOf(name: string, { before, after }: { before: string; after: string }): Insertion {
  const started = /[\p{L}\p{N}_]+$/u.exec(before)?.[0] ?? ''
  const plainName = name.replaceAll(/^["`]|["`]$/g, '').toLowerCase()
  const isCompletion = started !== '' && started.length < plainName.length && plainName.startsWith(started.toLowerCase())
  const rest = isCompletion ? before.slice(0, -started.length) : before
  const needsSpaceBefore = /[\p{L}\p{N}_"'`)\]},;*=<>+/%-]$/u.test(rest)
  const needsSpaceAfter = /^[\p{L}\p{N}_"'`({]/u.test(after)
  return {
    replacedBefore: isCompletion ? started.length : 0,
    text: `${needsSpaceBefore ? ' ' : ''}${name}${needsSpaceAfter ? ' ' : ''}`,
  }
}
