import type { Evaluation } from '@querypost/client'

export function questionCount({ counts }: Pick<Evaluation, 'counts'>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** For example “20 of 25 correct (80%)”. */
export function describeScore(evaluation: Pick<Evaluation, 'counts' | 'score'>): string {
  const { counts, score } = evaluation
  const correct = `${counts.correct} of ${questionCount(evaluation)} correct`
  return score === null ? `running, ${correct} so far` : `${correct} (${percent(score)})`
}

/** Rounded down: 99.9% is not all. */
export const percent = (score: number) => `${Math.floor(score * 1000) / 10}%`
