import type { Evaluation, EvaluationComparison, GivenProposal } from '../../api/evaluations.ts'

export interface TryDeps {
  findBaseline(setId: string): Promise<Evaluation | null>
  start(setId: string, body: { proposal?: GivenProposal }): Promise<Evaluation>
  read(id: string): Promise<Evaluation>
  compare(id: string, earlierId: string): Promise<EvaluationComparison>
  /** Waits before a running evaluation is read again. Rejects when the person leaves. */
  pause(): Promise<void>
}

export interface TryProgress {
  step: 'as it is' | 'with the change'
  evaluation: Evaluation
}

/**
 * Runs a question set with a change that is not saved. If there is no evaluation of the knowledge as it is now, that comes first, so
 * that there is something to compare with.
 */
export async function tryChange(
  deps: TryDeps,
  { setId, proposal, onProgress }: { setId: string; proposal: GivenProposal; onProgress(progress: TryProgress): void },
): Promise<EvaluationComparison> {
  async function finish(step: TryProgress['step'], started: Evaluation): Promise<Evaluation> {
    let evaluation = started
    onProgress({ step, evaluation })
    while (evaluation.endedAt === null) {
      await deps.pause()
      evaluation = await deps.read(evaluation.id)
      onProgress({ step, evaluation })
    }
    return evaluation
  }
  const baseline = (await deps.findBaseline(setId)) ?? (await finish('as it is', await deps.start(setId, {})))
  const tried = await finish('with the change', await deps.start(setId, { proposal }))
  return deps.compare(tried.id, baseline.id)
}
