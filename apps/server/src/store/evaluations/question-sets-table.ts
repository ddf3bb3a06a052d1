import { sql } from 'kysely'
import type { QuestionSet, QuestionSetContent } from '../../model/question-set.ts'
import type { Db, Tx } from '../db.ts'
import { storeNow } from '../store-now.ts'

export interface QuestionSetKey {
  organizationId: string
  questionSetId: string
}

interface StoredContent extends QuestionSetContent {
  nextDueAt: Date | null
}

/** By name. */
export async function listQuestionSets(db: Db, organizationId: string): Promise<QuestionSet[]> {
  const rows = await select(db).where('organization_id', '=', organizationId).orderBy('name').orderBy('id').execute()
  return rows.map(present)
}

export async function findQuestionSet(db: Db | Tx, key: QuestionSetKey): Promise<QuestionSet | undefined> {
  const row = await one(db, key).executeTakeFirst()
  return row && present(row)
}

/** Locks the set against changes and new evaluations until the transaction ends. */
export async function lockQuestionSet(tx: Tx, key: QuestionSetKey): Promise<QuestionSet | undefined> {
  const row = await one(tx, key).forUpdate().executeTakeFirst()
  return row && present(row)
}

/** Locks the organization's sets against new ones until the transaction ends. */
export async function lockQuestionSets(tx: Tx, organizationId: string): Promise<void> {
  await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute()
}

/** Whether another set has the name, ignoring case. */
export async function isSetNameTaken(
  tx: Tx,
  { organizationId, name, exceptId }: { organizationId: string; name: string; exceptId: string | null },
): Promise<boolean> {
  const row = await tx
    .selectFrom('question_sets')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where(({ eb, fn, val }) => eb(fn('lower', ['name']), '=', fn('lower', [val(name)])))
    .where('id', 'is distinct from', exceptId)
    .executeTakeFirst()
  return row !== undefined
}

export async function countQuestionSets(tx: Tx, organizationId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('question_sets')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertQuestionSet(
  tx: Tx,
  set: StoredContent & { id: string; organizationId: string; createdBy: string; now: Date },
): Promise<void> {
  await tx
    .insertInto('question_sets')
    .values({
      id: set.id,
      organization_id: set.organizationId,
      created_by: set.createdBy,
      created_at: set.now,
      updated_at: set.now,
      ...changeable(set),
    })
    .execute()
}

export async function updateQuestionSet(tx: Tx, questionSetId: string, content: StoredContent & { now: Date }): Promise<void> {
  await tx
    .updateTable('question_sets')
    .set({ ...changeable(content), updated_at: content.now })
    .where('id', '=', questionSetId)
    .execute()
}

/** With all its evaluations. */
export async function deleteQuestionSet(tx: Tx, questionSetId: string): Promise<void> {
  await tx.deleteFrom('question_sets').where('id', '=', questionSetId).execute()
}

export interface DueQuestionSet extends QuestionSet {
  dueAt: Date
  /** The store's time when it was found due. */
  foundAt: Date
}

/** One set whose time has come and that is not being evaluated, locked until the transaction ends. Other workers skip it. */
export async function lockDueQuestionSet(tx: Tx, { exceptIds }: { exceptIds: string[] }): Promise<DueQuestionSet | undefined> {
  const row = await select(tx)
    .select(storeNow.as('found_at'))
    .where('next_due_at', '<=', storeNow)
    .where('id', '!=', sql<string>`all (${exceptIds}::text[])`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('evaluations')
            .select('evaluations.id')
            .whereRef('evaluations.question_set_id', '=', 'question_sets.id')
            .where('evaluations.ended_at', 'is', null),
        ),
      ),
    )
    .orderBy('next_due_at')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row && { ...present(row), dueAt: row.next_due_at!, foundAt: row.found_at }
}

export async function writeNextDueAtOfSet(tx: Tx, set: { questionSetId: string; nextDueAt: Date | null }): Promise<void> {
  await tx.updateTable('question_sets').set({ next_due_at: set.nextDueAt }).where('id', '=', set.questionSetId).execute()
}

const select = (db: Db | Tx) => db.selectFrom('question_sets').selectAll('question_sets')

const one = (db: Db | Tx, { organizationId, questionSetId }: QuestionSetKey) =>
  select(db).where('organization_id', '=', organizationId).where('id', '=', questionSetId)

const changeable = ({ name, questions, schedule, nextDueAt }: StoredContent) => ({
  name,
  questions: JSON.stringify(questions),
  schedule_cron: schedule?.cron ?? null,
  schedule_time_zone: schedule?.timeZone ?? null,
  next_due_at: nextDueAt,
})

function present(row: Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]): QuestionSet {
  const { schedule_cron: cron, schedule_time_zone: timeZone } = row
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    questions: row.questions,
    schedule: cron === null || timeZone === null ? null : { cron, timeZone },
    nextDueAt: row.next_due_at,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
