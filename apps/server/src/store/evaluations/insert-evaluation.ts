import { sql } from 'kysely'
import type { KnowledgeProposal } from '../../model/knowledge.ts'
import type { EvaluationTrigger, TestQuestion } from '../../model/question-set.ts'
import type { Tx } from '../db.ts'

export interface NewEvaluation {
  id: string
  organizationId: string
  questionSetId: string
  label: string | null
  model: string
  trigger: EvaluationTrigger
  triggerId: string
  userId: string
  questions: TestQuestion[]
  proposal?: KnowledgeProposal | null
  baselineId?: string | null
  now: Date
}

/** Inserts an evaluation whose questions all wait. The store rejects a second unfinished one, so the caller must hold the set's lock. */
export async function insertEvaluation(tx: Tx, evaluation: NewEvaluation): Promise<void> {
  await tx
    .insertInto('evaluations')
    .values({
      id: evaluation.id,
      organization_id: evaluation.organizationId,
      question_set_id: evaluation.questionSetId,
      label: evaluation.label,
      model: evaluation.model,
      trigger: evaluation.trigger,
      trigger_id: evaluation.triggerId,
      user_id: evaluation.userId,
      requested_at: evaluation.now,
      proposal: evaluation.proposal ? JSON.stringify(evaluation.proposal) : null,
      baseline_id: evaluation.baselineId ?? null,
    })
    .execute()
  await sql`
    insert into evaluation_answers (evaluation_id, position, question, status)
    select ${evaluation.id}, number, question, 'waiting'
    from jsonb_array_elements(${JSON.stringify(evaluation.questions)}::jsonb) with ordinality as given (question, number)`.execute(tx)
}
