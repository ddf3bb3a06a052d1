/**
 * An engine's error message on one line, without the SQL line and the caret below it, which belong next to the SQL and not in a
 * sentence. The chat step keeps the whole message.
 */
export function oneLine(reason: string): string {
  const [firstParagraph] = reason.split(/\n\s*\n|\n(?=LINE \d+:)/)
  return firstParagraph!.replaceAll(/\s+/g, ' ').trim()
}
