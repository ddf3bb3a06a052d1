import { sql } from 'kysely'
import type { KnowledgeProposal } from '../../model/knowledge.ts'
import type { AnswerOutcome, EvaluationAnswer, TestQuestion } from '../../model/question-set.ts'
import type { Db, Tx } from '../db.ts'

/** The question that an agent run answers. */
export interface QuestionOfRun {
  evaluationId: string
  question: TestQuestion
  /** Knowledge that only this evaluation tries. */
  proposal: KnowledgeProposal | null
}

/** Undefined if the question set has been deleted. */
export async function findQuestionOfRun(db: Db, agentRunId: string): Promise<QuestionOfRun | undefined> {
  return db
    .selectFrom('evaluation_answers')
    .innerJoin('evaluations', 'evaluations.id', 'evaluation_id')
    .select(['evaluation_id as evaluationId', 'question', 'proposal'])
    .where('agent_run_id', '=', agentRunId)
    .executeTakeFirst()
}

export interface UnfinishedEvaluation {
  id: string
  organizationId: string
  userId: string
}

/** Locks the evaluation that an agent run belongs to until the transaction ends. Undefined if it has been deleted. */
export async function lockEvaluationOfRun(tx: Tx, agentRunId: string): Promise<UnfinishedEvaluation | undefined> {
  const { rows } = await sql<UnfinishedEvaluation>`
    select evaluation.id, evaluation.organization_id as "organizationId", evaluation.user_id as "userId"
    from evaluation_answers as answer join evaluations as evaluation on evaluation.id = answer.evaluation_id
    where answer.agent_run_id = ${agentRunId}
    for update of evaluation`.execute(tx)
  return rows[0]
}

/** The waiting questions that come next. The transaction must hold the evaluation's lock. */
export async function readWaiting(tx: Tx, { evaluationId, count }: { evaluationId: string; count: number }) {
  return tx
    .selectFrom('evaluation_answers')
    .select(['position', 'question'])
    .where('evaluation_id', '=', evaluationId)
    .where('status', '=', 'waiting')
    .orderBy('position')
    .limit(count)
    .execute()
}

export async function markRunning(
  tx: Tx,
  answer: { evaluationId: string; position: number; agentRunId: string; chatShortId: string },
): Promise<void> {
  await tx
    .updateTable('evaluation_answers')
    .set({ status: 'running', agent_run_id: answer.agentRunId, chat_short_id: answer.chatShortId })
    .where('evaluation_id', '=', answer.evaluationId)
    .where('position', '=', answer.position)
    .execute()
}

export async function writeOutcome(tx: Tx, answer: AnswerOutcome & { agentRunId: string; now: Date }): Promise<void> {
  await tx
    .updateTable('evaluation_answers')
    .set({ status: answer.status, run_id: answer.runId, explanation: answer.explanation, ended_at: answer.now })
    .where('agent_run_id', '=', answer.agentRunId)
    .where('status', '=', 'running')
    .execute()
}

/** Questions that wait will not be asked. */
export async function stopWaiting(tx: Tx, { evaluationId, explanation, now }: { evaluationId: string; explanation: string; now: Date }): Promise<void> {
  await tx
    .updateTable('evaluation_answers')
    .set({ status: 'stopped', explanation, ended_at: now })
    .where('evaluation_id', '=', evaluationId)
    .where('status', '=', 'waiting')
    .execute()
}

/** Ends the evaluation if all its answers have ended. */
export async function endIfComplete(tx: Tx, { evaluationId, now }: { evaluationId: string; now: Date }): Promise<void> {
  await sql`
    update evaluations set ended_at = ${now}
    where id = ${evaluationId} and ended_at is null and not exists (
      select from evaluation_answers where evaluation_id = ${evaluationId} and status in ('waiting', 'running'))`.execute(tx)
}

/** The agent runs of answers that have not ended. */
export async function readRunningAgentRuns(db: Db, evaluationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('evaluation_answers')
    .select('agent_run_id')
    .where('evaluation_id', '=', evaluationId)
    .where('status', '=', 'running')
    .orderBy('position')
    .execute()
  return rows.map((row) => row.agent_run_id!)
}

export async function listAnswers(db: Db, evaluationId: string): Promise<EvaluationAnswer[]> {
  return db
    .selectFrom('evaluation_answers')
    .leftJoin('runs', 'runs.id', 'run_id')
    .select([
      'position',
      'question',
      'evaluation_answers.status',
      'chat_short_id as chatShortId',
      'run_id as runId',
      'explanation',
      'runs.rendered_sql as sql',
    ])
    .where('evaluation_id', '=', evaluationId)
    .orderBy('position')
    .execute()
}
