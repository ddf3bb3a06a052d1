import type { Published } from './draft.ts'

const maxListed = 20

/** Tells the model what is not proven and how to fix it. Null if everything is proven. */
export function repairRequest({ text, figures }: Published): string | null {
  const unproven = figures.filter(({ isProven }) => !isProven)
  if (unproven.length === 0) return null
  const lines = unproven.slice(0, maxListed).map(({ text: shown, expression, reason, start, end }) => {
    const place = expression === null ? `"${shown}"` : `{{${expression}}}`
    return `- ${place} in "${excerpt(text, start, end)}": ${reason}`
  })
  const more = unproven.length > maxListed ? [`- and ${unproven.length - maxListed} more`] : []
  return [
    'These places in your answer are not proven, so readers would see them struck through:',
    ...lines,
    ...more,
    'Write the whole answer again. Replace each of them with a placeholder that computes it, name its row, period and column in the same sentence, or leave it out.',
  ].join('\n')
}

const excerptLength = 40

/** The words around a place, on one line, without links. */
function excerpt(text: string, start: number, end: number): string {
  const around = text.slice(Math.max(0, start - excerptLength), end + excerptLength).replaceAll(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
  return around.replaceAll(/\]\([^)\s]*\)?|[[\]~*]/g, '').replaceAll(/\s+/g, ' ').trim()
}
