import { sql } from 'kysely'
import { answerStatuses, type AnswerStatus, type Evaluation } from '../../model/question-set.ts'
import type { KnowledgeProposal } from '../../model/knowledge.ts'
import type { ItemKey } from '../../model/page.ts'
import type { Db, Tx } from '../db.ts'
import { exactText } from '../snapshot.ts'

type Row = Omit<Evaluation, 'counts' | 'proposal'> & {
  counts: Partial<Record<AnswerStatus, number>>
  proposal: KnowledgeProposal | null
  /** Of the proposal. */
  databaseName: string | null
}

/** An evaluation with its proposal as it is stored. */
export type StoredEvaluation = Omit<Evaluation, 'proposal'> & { proposal: KnowledgeProposal | null; databaseName: string | null }

const columns = sql`evaluation.id, evaluation.organization_id as "organizationId", evaluation.question_set_id as "questionSetId",
  question_set.name as "questionSetName", evaluation.label, evaluation.model, evaluation.trigger,
  jsonb_build_object('id', users.id, 'name', users.name) as "requestedBy", evaluation.requested_at as "requestedAt",
  evaluation.ended_at as "endedAt", evaluation.proposal, evaluation.baseline_id as "baselineId",
  (select name from analytical_database_configs as database
   where database.id = evaluation.proposal -> 'content' ->> 'databaseId') as "databaseName",
  (select jsonb_object_agg(status, count)
   from (
     select status, count(*) as count from evaluation_answers
     where evaluation_id = evaluation.id
     group by status) as counted) as counts`

const joined = sql`evaluations as evaluation
  join question_sets as question_set on question_set.id = evaluation.question_set_id
  join users on users.id = evaluation.user_id`

export async function findEvaluation(
  db: Db | Tx,
  key: { organizationId: string; evaluationId: string },
): Promise<StoredEvaluation | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from ${joined}
    where evaluation.id = ${key.evaluationId} and evaluation.organization_id = ${key.organizationId}`.execute(db)
  return rows[0] && present(rows[0])
}

/** Newest first. */
export async function readEvaluationsPage(
  db: Db,
  page: { organizationId: string; questionSetId: string; after?: ItemKey; count: number },
): Promise<{ item: StoredEvaluation; key: ItemKey }[]> {
  const { after } = page
  const { rows } = await sql<Row & { requestedAtText: string }>`
    select ${columns}, ${exactText(sql`evaluation.requested_at`)} as "requestedAtText"
    from ${joined}
    where evaluation.question_set_id = ${page.questionSetId} and evaluation.organization_id = ${page.organizationId}
      ${after ? sql`and (evaluation.requested_at, evaluation.id) < (${after.createdAt}::timestamptz, ${after.id})` : sql``}
    order by evaluation.requested_at desc, evaluation.id desc
    limit ${page.count}`.execute(db)
  return rows.map(({ requestedAtText, ...row }) => ({ item: present(row), key: { createdAt: requestedAtText, id: row.id } }))
}

/** The newest evaluation of each of these sets, by the set's id, without those that tried a proposal. */
export async function readLatestEvaluations(db: Db, questionSetIds: string[]): Promise<Map<string, StoredEvaluation>> {
  const { rows } = await sql<Row>`
    select ${columns}
    from unnest(${questionSetIds}::text[]) as wanted (id)
    cross join lateral (
      select * from evaluations where question_set_id = wanted.id and proposal is null order by requested_at desc, id desc limit 1) as evaluation
    join question_sets as question_set on question_set.id = evaluation.question_set_id
    join users on users.id = evaluation.user_id`.execute(db)
  return new Map(rows.map((row) => [row.questionSetId, present(row)]))
}

/**
 * The newest evaluation of the set that shows how well the model answers now: whole, with the same model, and requested after the last
 * change of the set and of the organization's knowledge.
 */
export async function findBaseline(
  db: Db | Tx,
  of: { organizationId: string; questionSetId: string; model: string },
): Promise<StoredEvaluation | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from ${joined}
    where evaluation.question_set_id = ${of.questionSetId} and evaluation.organization_id = ${of.organizationId}
      and evaluation.model = ${of.model} and evaluation.proposal is null and evaluation.ended_at is not null
      and evaluation.requested_at >= question_set.updated_at
      and not exists (select from evaluation_answers where evaluation_id = evaluation.id and status = 'stopped')
      and not exists (
        select from knowledge_versions
        where organization_id = ${of.organizationId} and changed_at > evaluation.requested_at)
    order by evaluation.requested_at desc, evaluation.id desc
    limit 1`.execute(db)
  return rows[0] && present(rows[0])
}

export async function hasUnfinishedEvaluation(tx: Tx, questionSetId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('evaluations')
    .select('id')
    .where('question_set_id', '=', questionSetId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Locks an unfinished evaluation until the transaction ends. Undefined if it has ended. */
export async function lockUnfinishedEvaluation(tx: Tx, evaluationId: string): Promise<{ id: string } | undefined> {
  return tx
    .selectFrom('evaluations')
    .select('id')
    .where('id', '=', evaluationId)
    .where('ended_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

function present({ counts, ...rest }: Row): StoredEvaluation {
  const all = Object.fromEntries(answerStatuses.map((status) => [status, counts?.[status] ?? 0])) as Record<AnswerStatus, number>
  return { ...rest, counts: all }
}
