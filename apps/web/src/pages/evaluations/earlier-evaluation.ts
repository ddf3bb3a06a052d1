import type { Evaluation } from '../../api/evaluations.ts'

/** The evaluation to compare with: without the change that this one tries, or the one before it. `history` is newest first. */
export function earlierOf({ id, baselineId, proposal }: Evaluation, history: Evaluation[]): Evaluation | undefined {
  if (proposal) return history.find((each) => each.id === baselineId)
  const index = history.findIndex((each) => each.id === id)
  return index === -1 ? undefined : history.slice(index + 1).find((each) => each.proposal === null && each.endedAt !== null)
}

/** The two newest evaluations that have ended, the later one last. Undefined if there are fewer. */
export function newestTwo(history: Evaluation[]): { from: string; to: string } | undefined {
  const [to, from] = history.filter(({ endedAt }) => endedAt !== null)
  return from && to && { from: from.id, to: to.id }
}
