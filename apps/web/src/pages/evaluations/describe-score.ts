import type { Evaluation } from '../../api/evaluations.ts'

/** “22 of 25 correct (88%)”, or how far a running evaluation is. */
export function describeScore({ counts, score }: Pick<Evaluation, 'counts' | 'score'>): string {
  const { correct, wrong, failed, stopped, waiting, running } = counts
  const all = correct + wrong + failed + stopped + waiting + running
  if (score === null) return `${correct + wrong + failed + stopped} of ${all} answered`
  return `${correct} of ${all} correct (${Math.floor(score * 100)}%)`
}
