/**
 * What an engine said, in one line: without the statement's line and the caret below it, which belong beside the SQL and not into a
 * sentence. The chat's step keeps the whole.
 */
export function oneLine(reason: string): string {
  const [said] = reason.split(/\n\s*\n|\n(?=LINE \d+:)/)
  return said!.replaceAll(/\s+/g, ' ').trim()
}
