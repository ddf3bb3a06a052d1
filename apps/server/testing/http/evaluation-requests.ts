import { newId } from '../../src/domain/ids.ts'
import type { TestQuestion } from '../../src/model/question-set.ts'
import { insertEvaluation } from '../../src/store/evaluations/insert-evaluation.ts'
import { insertQuestionSet } from '../../src/store/evaluations/question-sets-table.ts'
import type { TestOrganization, TestService } from '../test-service.ts'

/** Stores a question set with two evaluations that have ended, without asking a model. */
export async function storeEvaluatedSet(
  { services, clock }: TestService,
  { admin, databaseId }: TestOrganization,
): Promise<{ questionSetId: string; evaluationId: string; earlierEvaluationId: string }> {
  const { db, random } = services
  const { organizationId, userId, triggerId } = admin.caller
  const questionSetId = newId(random, 'qset')
  const [earlierEvaluationId, evaluationId] = [newId(random, 'evaluation'), newId(random, 'evaluation')]
  const question: TestQuestion = {
    text: 'How many orders were there in the week of 29 December 2025?',
    databaseId,
    expectedSql: null,
    expectedRows: [[2011]],
    isOrdered: false,
    tolerance: 0,
  }
  const now = clock.now()
  const content = { name: `Orders ${questionSetId}`, questions: [question], schedule: null, nextDueAt: null }
  await db.transaction().execute(async (tx) => {
    await insertQuestionSet(tx, { ...content, id: questionSetId, organizationId, createdBy: userId, now })
    for (const [id, status] of [[earlierEvaluationId, 'wrong'], [evaluationId, 'correct']] as const) {
      const by = { trigger: 'api', triggerId, userId, label: null } as const
      await insertEvaluation(tx, { ...by, id, organizationId, questionSetId, model: 'small', questions: [question], now })
      const chat = { chat_short_id: 'm4k2x8qdpw', run_id: 'run_9x1c4v7b' }
      await tx.updateTable('evaluation_answers').set({ status, ...chat, ended_at: now }).where('evaluation_id', '=', id).execute()
      await tx.updateTable('evaluations').set({ ended_at: now }).where('id', '=', id).execute()
    }
  })
  return { questionSetId, evaluationId, earlierEvaluationId }
}
