import type { Figure } from './figure.ts'

const notVerified = '[not verified]'

/** For webhooks and e-mails, which do not show strikes: unproven places read "[not verified]". */
export function provenText(text: string, figures: readonly Figure[]): string {
  let proven = ''
  let at = 0
  for (const { isProven, start, end } of figures.toSorted((a, b) => a.start - b.start)) {
    if (isProven || start < at) continue
    // The tildes around it go, too. Escaped, the brackets cannot become a link.
    const from = text.slice(start - 2, start) === '~~' ? start - 2 : start
    proven += text.slice(at, from) + notVerified.replaceAll(/[[\]]/g, '\\$&')
    at = text.slice(end, end + 2) === '~~' ? end + 2 : end
  }
  return proven + text.slice(at)
}
