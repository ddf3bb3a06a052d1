import type { Figure } from '../../../api/chats.ts'

/** Whether the figures of an answer are proven, in words. Undefined if it has none. */
export function describeProof(figures: Pick<Figure, 'isProven'>[]): { text: string; isComplete: boolean } | undefined {
  if (figures.length === 0) return undefined
  const unproven = figures.filter(({ isProven }) => !isProven).length
  if (unproven === 0) return { text: figures.length === 1 ? '1 figure, proven' : `${figures.length} figures, all proven`, isComplete: true }
  const count = unproven === figures.length ? countFigures(unproven) : `${unproven} of ${figures.length} figures`
  return { text: `${count} not verified`, isComplete: false }
}

const countFigures = (count: number) => `${count} ${count === 1 ? 'figure' : 'figures'}`
