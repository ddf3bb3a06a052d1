import type { Caller } from '../../model/caller.ts'
import type { KnowledgeProposal } from '../../model/knowledge.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import type { Evaluation, EvaluationInFull, EvaluationTrigger, QuestionSet } from '../../model/question-set.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { findAgentRun } from '../../store/agent-runs/read-agent-runs.ts'
import { findModelSettings } from '../../store/agents/model-settings-table.ts'
import type { Db, Tx } from '../../store/db.ts'
import { endIfComplete, listAnswers, readRunningAgentRuns, stopWaiting } from '../../store/evaluations/evaluation-answers.ts'
import { insertEvaluation } from '../../store/evaluations/insert-evaluation.ts'
import { lockQuestionSet } from '../../store/evaluations/question-sets-table.ts'
import {
  findBaseline,
  findEvaluation,
  hasUnfinishedEvaluation,
  lockUnfinishedEvaluation,
  readEvaluationsPage,
} from '../../store/evaluations/read-evaluations.ts'
import { requireAdmin } from '../access/require-admin.ts'
import { type AgentRunsDeps, stopActiveRun } from '../agent-runs/agent-runs.ts'
import { isId, newId } from '../ids.ts'
import { recordAction } from '../audit/record-action.ts'
import { checkProposal, type GivenProposal } from '../knowledge/check-proposal.ts'
import type { MetricsDeps } from '../knowledge/metric-definitions.ts'
import { requireModelBudget } from '../model-budgets/require-model-budget.ts'
import type { ListCursorCodec } from '../pagination/list-cursor.ts'
import { readListPage } from '../pagination/list-page.ts'
import { badInput, checkText } from '../people/check-text.ts'
import { whoAmI } from '../people/organizations.ts'
import { Refusal } from '../refusal.ts'
import { withProposalName } from './present-proposal.ts'
import { type EvaluationComparison, compareAnswers } from './compare-evaluations.ts'
import { alreadyRunning, findSet } from './question-sets.ts'
import { startAnswers } from '../agent-runs/record-evaluated-answer.ts'

interface StartDeps {
  tx: Tx
  clock: Clock
  random: Random
}

const labelMaxCharacters = 100

/**
 * Asks the model all questions of a set. Returns at once; the answers follow one after the other. With a proposal, the answers know of
 * a change that is not saved.
 */
export async function startEvaluation(
  deps: MetricsDeps,
  caller: Caller,
  input: {
    questionSetId: string
    label?: string | undefined
    trigger: Exclude<EvaluationTrigger, 'schedule'>
    proposal?: GivenProposal | undefined
  },
): Promise<EvaluationInFull> {
  requireAdmin(caller)
  const { organizationId } = caller
  const { questionSetId, trigger } = input
  const label = input.label?.trim() ? checkText({ path: '/label', text: input.label, maxCharacters: labelMaxCharacters }) : null
  await findSet(deps, caller, questionSetId)
  const proposal = input.proposal ? await checkProposal(deps, caller, input.proposal) : null
  const id = await deps.db.transaction().execute(async (tx) => {
    const set = (await lockQuestionSet(tx, { organizationId, questionSetId })) ?? (await findSet({ db: tx }, caller, questionSetId))
    const request = { trigger, triggerId: caller.triggerId, userId: caller.userId, label, proposal }
    const evaluationId = await requestEvaluation({ ...deps, tx }, set, request)
    if (proposal) {
      const subject = { type: 'question_set', id: questionSetId, name: set.name } as const
      const details = { evaluationId, kind: proposal.content.kind }
      await recordAction({ ...deps, tx }, caller, { action: 'knowledge.tried', subject, details })
    }
    return evaluationId
  })
  return getEvaluation(deps, caller, id)
}

/** Creates the evaluation and starts its first answers, as part of a transaction that has locked the set. */
export async function requestEvaluation(
  deps: StartDeps,
  set: QuestionSet,
  request: { trigger: EvaluationTrigger; triggerId: string; userId: string; label: string | null; proposal?: KnowledgeProposal | null },
): Promise<string> {
  const { tx, clock, random } = deps
  const { organizationId, id: questionSetId, questions } = set
  const { userId } = request
  if (questions.length === 0) throw badInput('/questions', 'must have at least one question to be evaluated')
  const settings = await findModelSettings(tx, organizationId)
  if (!settings) throw new Refusal('model_not_configured', 'No model is set up to evaluate. An admin can set one up in the organization’s settings.')
  await requireModelBudget({ db: tx }, { organizationId, userId })
  if (await hasUnfinishedEvaluation(tx, questionSetId)) throw alreadyRunning()
  const id = newId(random, 'evaluation')
  const { model } = settings
  const baseline = request.proposal ? await findBaseline(tx, { organizationId, questionSetId, model }) : undefined
  const baselineId = baseline?.id ?? null
  await insertEvaluation(tx, { ...request, id, organizationId, questionSetId, model, questions, baselineId, now: clock.now() })
  await startAnswers(deps, { id, organizationId, userId })
  return id
}

/** Newest first. */
export async function listEvaluations(
  deps: { db: Db; clock: Clock; listCursors: ListCursorCodec },
  caller: Caller,
  { questionSetId, ...request }: PageRequest & { questionSetId: string },
): Promise<Page<Evaluation>> {
  const { organizationId } = caller
  await findSet(deps, caller, questionSetId)
  return readListPage(deps, {
    place: { organizationId, list: 'evaluations', filter: questionSetId },
    request,
    read: async (page) => {
      const rows = await readEvaluationsPage(deps.db, { organizationId, questionSetId, ...page })
      return { rows: rows.map(({ item, key }) => ({ item: withProposalName(item), key })) }
    },
  })
}

export async function getEvaluation(deps: { db: Db }, caller: Caller, evaluationId: string): Promise<EvaluationInFull> {
  const { organizationId } = caller
  const found = isId(evaluationId) ? await findEvaluation(deps.db, { organizationId, evaluationId }) : undefined
  if (!found) throw new Refusal('evaluation_not_found', `There is no evaluation ${JSON.stringify(evaluationId.slice(0, 100))}.`)
  return { ...withProposalName(found), answers: await listAnswers(deps.db, evaluationId) }
}

/** The evaluation that shows how well the model answers with the knowledge as it is now; null if there is none. */
export async function getBaseline(deps: { db: Db }, caller: Caller, questionSetId: string): Promise<Evaluation | null> {
  const { organizationId } = caller
  await findSet(deps, caller, questionSetId)
  const settings = await findModelSettings(deps.db, organizationId)
  const found = settings && (await findBaseline(deps.db, { organizationId, questionSetId, model: settings.model }))
  return found ? withProposalName(found) : null
}

/** Questions that wait are not asked, and those being answered are interrupted by their workers. */
export async function stopEvaluation(deps: AgentRunsDeps, caller: Caller, evaluationId: string): Promise<EvaluationInFull> {
  requireAdmin(caller)
  const { organizationId } = caller
  const { endedAt } = await getEvaluation(deps, caller, evaluationId)
  if (endedAt) throw alreadyEnded()
  const { user } = await whoAmI(deps, caller)
  await deps.db.transaction().execute(async (tx) => {
    if (!(await lockUnfinishedEvaluation(tx, evaluationId))) throw alreadyEnded()
    const now = deps.clock.now()
    await stopWaiting(tx, { evaluationId, explanation: `Stopped by ${user.name} before it started.`, now })
    await endIfComplete(tx, { evaluationId, now })
  })
  for (const agentRunId of await readRunningAgentRuns(deps.db, evaluationId)) {
    const run = await findAgentRun(deps.db, { organizationId, agentRunId })
    if (run && run.endedAt === null) await stopUnlessEnded(deps, caller, run)
  }
  return getEvaluation(deps, caller, evaluationId)
}

async function stopUnlessEnded(...args: Parameters<typeof stopActiveRun>): Promise<void> {
  try {
    await stopActiveRun(...args)
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'run_already_ended')) throw error
  }
}

/** How two evaluations of the same set, or of sets with the same questions, differ. */
export async function compareEvaluations(
  deps: { db: Db },
  caller: Caller,
  { beforeId, afterId }: { beforeId: string; afterId: string },
): Promise<EvaluationComparison> {
  const before = await getEvaluation(deps, caller, beforeId)
  return compareAnswers(before, await getEvaluation(deps, caller, afterId))
}

const alreadyEnded = () => new Refusal('evaluation_already_ended', 'The evaluation has already ended. There is nothing to stop.')
