import type { Evaluation } from '../../model/question-set.ts'
import type { StoredEvaluation } from '../../store/evaluations/read-evaluations.ts'
import { nameOf } from '../knowledge/present-knowledge.ts'

/** The evaluation with the name of what it tried. */
export function withProposalName({ databaseName, proposal, ...evaluation }: StoredEvaluation): Evaluation {
  const content = proposal?.content
  return { ...evaluation, proposal: content ? { kind: content.kind, name: nameOf(content, databaseName ?? undefined) } : null }
}
