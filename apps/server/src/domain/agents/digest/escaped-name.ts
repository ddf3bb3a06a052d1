import { escapeMarkdown, onOneLine } from '@querypost/answers'
import { shortened } from '../../shortened.ts'

const nameMaxLength = 60

/** Titles and keys are data: markup in them is escaped, and they stay on one line. */
export function escapedName(text: string, maxLength = nameMaxLength): string {
  return escapeMarkdown(shortened(onOneLine(text), maxLength))
}
