import type { Schedule } from '../../model/automation.ts'
import type { Caller } from '../../model/caller.ts'
import type { Evaluation, QuestionSet, QuestionSetContent } from '../../model/question-set.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db, Tx } from '../../store/db.ts'
import {
  countQuestionSets,
  deleteQuestionSet as deleteStored,
  findQuestionSet,
  insertQuestionSet,
  isSetNameTaken,
  listQuestionSets as listStored,
  lockQuestionSet,
  lockQuestionSets,
  updateQuestionSet,
} from '../../store/evaluations/question-sets-table.ts'
import { hasUnfinishedEvaluation, readLatestEvaluations } from '../../store/evaluations/read-evaluations.ts'
import { requireAdmin } from '../access/require-admin.ts'
import { changesOf } from '../audit/changes.ts'
import { recordAction, recordChange } from '../audit/record-action.ts'
import { nextDueAt } from '../automations/schedule.ts'
import { type BasedOn, contentVersion, requireVersion } from '../content-version.ts'
import { isId, newId } from '../ids.ts'
import { requireUnmanaged } from '../managed/managed-items.ts'
import { badInput } from '../people/check-text.ts'
import { Refusal } from '../refusal.ts'
import { withProposalName } from './present-proposal.ts'
import { checkQuestionSet } from './check-question-set.ts'

export interface QuestionSetDeps {
  db: Db
  clock: Clock
  random: Random
}

export interface QuestionSetInFull extends QuestionSet {
  latestEvaluation: Evaluation | null
}

const setsMax = 100

/** By name. */
export async function listQuestionSets(deps: { db: Db }, caller: Caller): Promise<QuestionSetInFull[]> {
  const sets = await listStored(deps.db, caller.organizationId)
  const latest = await readLatestEvaluations(deps.db, sets.map(({ id }) => id))
  return sets.map((set) => Object.assign(set, { latestEvaluation: latestOf(latest, set) }))
}

export async function getQuestionSet(deps: { db: Db }, caller: Caller, id: string): Promise<QuestionSetInFull> {
  const set = await findSet(deps, caller, id)
  const latest = await readLatestEvaluations(deps.db, [set.id])
  return { ...set, latestEvaluation: latestOf(latest, set) }
}

function latestOf(latest: Awaited<ReturnType<typeof readLatestEvaluations>>, { id }: QuestionSet): Evaluation | null {
  const found = latest.get(id)
  return found ? withProposalName(found) : null
}

export async function findSet({ db }: { db: Db | Tx }, caller: Caller, questionSetId: string): Promise<QuestionSet> {
  const { organizationId } = caller
  const set = isId(questionSetId) ? await findQuestionSet(db, { organizationId, questionSetId }) : undefined
  return set ?? noSuchSet(questionSetId)
}

export async function createQuestionSet(deps: QuestionSetDeps, caller: Caller, input: QuestionSetContent): Promise<QuestionSetInFull> {
  requireAdmin(caller)
  const { organizationId, userId: createdBy } = caller
  const now = deps.clock.now()
  const checked = await checkQuestionSet(deps, caller, input)
  const id = newId(deps.random, 'qset')
  await deps.db.transaction().execute(async (tx) => {
    await lockQuestionSets(tx, organizationId)
    await requireFreeName(tx, { organizationId, name: checked.name, exceptId: null })
    if ((await countQuestionSets(tx, organizationId)) >= setsMax) {
      throw badInput('/name', `cannot be added: an organization has at most ${setsMax} question sets`)
    }
    await insertQuestionSet(tx, { ...checked, nextDueAt: dueAfter(checked.schedule, now), id, organizationId, createdBy, now })
    const subject = { type: 'question_set', id, name: checked.name } as const
    const details = { questionCount: checked.questions.length }
    await recordAction({ ...deps, tx }, caller, { action: 'question_set.created', subject, details })
  })
  return getQuestionSet(deps, caller, id)
}

/** Replaces the whole set. Earlier evaluations keep the questions that they asked. */
export async function putQuestionSet(
  deps: QuestionSetDeps,
  caller: Caller,
  { id, ...input }: QuestionSetContent & { id: string },
  basedOn: BasedOn = {},
): Promise<QuestionSetInFull> {
  requireAdmin(caller)
  const { organizationId } = caller
  const now = deps.clock.now()
  await findSet(deps, caller, id)
  const checked = await checkQuestionSet(deps, caller, input)
  await deps.db.transaction().execute(async (tx) => {
    await lockQuestionSets(tx, organizationId)
    const before = (await lockQuestionSet(tx, { organizationId, questionSetId: id })) ?? noSuchSet(id)
    requireVersion('question set', { current: questionSetVersion(before), basedOn })
    await requireUnmanaged(tx, caller, { kind: 'question_set', id })
    await requireFreeName(tx, { organizationId, name: checked.name, exceptId: id })
    await updateQuestionSet(tx, id, { ...checked, nextDueAt: dueAfter(checked.schedule, now), now })
    const changes = changesOf(auditFields(before), auditFields(checked))
    const subject = { type: 'question_set', id, name: before.name } as const
    await recordChange({ ...deps, tx }, caller, { action: 'question_set.changed', subject, details: { changes } })
  })
  return getQuestionSet(deps, caller, id)
}

/** With its evaluations; their chats stay. A set that is being evaluated cannot be deleted. Returns the set as it was. */
export async function deleteQuestionSet(
  deps: QuestionSetDeps,
  caller: Caller,
  id: string,
  basedOn: BasedOn = {},
): Promise<QuestionSetInFull> {
  requireAdmin(caller)
  const { organizationId } = caller
  const deleted = await getQuestionSet(deps, caller, id)
  await deps.db.transaction().execute(async (tx) => {
    const set = (await lockQuestionSet(tx, { organizationId, questionSetId: id })) ?? noSuchSet(id)
    requireVersion('question set', { current: questionSetVersion(set), basedOn })
    await requireUnmanaged(tx, caller, { kind: 'question_set', id })
    if (await hasUnfinishedEvaluation(tx, id)) throw alreadyRunning()
    await deleteStored(tx, id)
    const subject = { type: 'question_set', id, name: set.name } as const
    await recordAction({ ...deps, tx }, caller, { action: 'question_set.deleted', subject })
  })
  return deleted
}

export const questionSetVersion = ({ name, questions, schedule }: QuestionSetContent) => contentVersion({ name, questions, schedule })

export const alreadyRunning = () =>
  new Refusal('evaluation_already_running', 'This question set is being evaluated. Wait until the evaluation ends, or stop it.')

const dueAfter = (schedule: Schedule | null, now: Date) => schedule && nextDueAt(schedule, now)

/** The audit log has room for what changed, not for whole statements. */
const auditFields = ({ name, questions, schedule }: QuestionSetContent) => ({
  name,
  schedule,
  questions: questions.map(({ text }) => text),
})

async function requireFreeName(tx: Tx, key: { organizationId: string; name: string; exceptId: string | null }): Promise<void> {
  if (await isSetNameTaken(tx, key)) {
    throw new Refusal('question_set_name_taken', `There is already a question set named ${JSON.stringify(key.name)}.`, [
      { path: '/name', message: 'is taken by another question set' },
    ])
  }
}

function noSuchSet(id: string): never {
  throw new Refusal('question_set_not_found', `There is no question set ${JSON.stringify(id.slice(0, 100))}.`)
}
