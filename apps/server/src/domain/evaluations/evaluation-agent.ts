import type { AnswerOutcome, TestQuestion } from '../../model/question-set.ts'
import { findQuestionOfRun } from '../../store/evaluations/evaluation-answers.ts'
import { type Agent, AgentFailure, type AgentTask } from '../agent-runs/agent.ts'
import type { ChatWriter } from '../agent-runs/chat-writer.ts'
import { firstRowsOf, type QueryRunDeps, runQueryToEnd } from '../agents/query-runs.ts'
import { type QueriesDeps, storeQuery } from '../queries/queries.ts'
import { Refusal } from '../refusal.ts'
import { getRun } from '../runs/read-runs.ts'
import type { QueryServices } from '../services.ts'
import { type ComparedResult, findDifference } from './match-results.ts'

/** Results with more rows are not compared. */
export const comparedRowsMax = 1000

export type EvaluationDeps = QueryRunDeps & QueriesDeps & Pick<QueryServices, 'results'>

/**
 * The model agent, which also answers the questions of evaluations: it answers as usual, and then the result of the query run that it
 * names is compared with the expected one. If it names none, its last completed query run counts.
 */
export function withEvaluations(deps: EvaluationDeps, answer: Agent): Agent {
  return async (task) => {
    if (task.trigger !== 'evaluation') return answer(task)
    const found = await findQuestionOfRun(deps.db, task.runId)
    if (!found) throw new AgentFailure('The question set has been deleted.')
    const observed = observeQueryRuns(task.chat)
    let namedRunId: string | undefined
    const nameRun = (runId: string) => void (namedRunId = runId)
    const evaluation = { id: found.evaluationId, nameRun, proposal: found.proposal ?? undefined }
    const answered = await answer({ ...task, chat: observed.chat, evaluation })
    const outcome = await judge(deps, task, { question: found.question, runId: namedRunId ?? observed.lastRunId() })
    return { ...answered, outcome }
  }
}

/** A chat writer that remembers the last query run that completed. */
function observeQueryRuns(chat: ChatWriter): { chat: ChatWriter; lastRunId(): string | undefined } {
  let lastRunId: string | undefined
  return {
    lastRunId: () => lastRunId,
    chat: {
      add: (content) => chat.add(content),
      async change(number, content) {
        await chat.change(number, content)
        if (content.kind === 'query_run' && content.status === 'completed' && content.runId !== null) lastRunId = content.runId
      },
    },
  }
}

async function judge(
  deps: EvaluationDeps,
  task: AgentTask,
  { question, runId }: { question: TestQuestion; runId: string | undefined },
): Promise<AnswerOutcome> {
  if (runId === undefined) return { status: 'failed', runId: null, explanation: 'The model ran no query that completed.' }
  const failed = (explanation: string): AnswerOutcome => ({ status: 'failed', runId, explanation })
  const expected = await readExpected(deps, task, question)
  if (typeof expected === 'string') return failed(`The expected result is not available: ${expected}`)
  const actual = await readResult(deps, task, runId)
  if (typeof actual === 'string') return { status: 'wrong', runId, explanation: actual }
  const difference = findDifference(expected, actual, question)
  return difference === undefined ? { status: 'correct', runId, explanation: null } : { status: 'wrong', runId, explanation: difference }
}

/** The expected result, or why there is none. */
async function readExpected(
  deps: EvaluationDeps,
  { caller, requestedAt: notBefore, signal }: AgentTask,
  { expectedSql, expectedRows, databaseId }: TestQuestion,
): Promise<ComparedResult | string> {
  if (expectedSql === null) return { fields: null, rows: expectedRows! }
  try {
    const query = await storeQuery(deps, caller, { sql: expectedSql, analyticalDatabaseConfigId: databaseId })
    const run = await runQueryToEnd(deps, caller, { queryId: query.id, notBefore, signal })
    if (run.status === 'failed') return run.failureReason!
    return await readRows(deps, run)
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

/** The result of the model's query run, or why it cannot be compared. */
async function readResult(deps: EvaluationDeps, { caller }: AgentTask, runId: string): Promise<ComparedResult | string> {
  try {
    const run = await getRun(deps, caller, runId)
    return run.status === 'completed' ? await readRows(deps, run) : `The run ${runId} has no result: it is ${run.status}.`
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

async function readRows(deps: EvaluationDeps, run: Parameters<typeof firstRowsOf>[1]): Promise<ComparedResult | string> {
  const { fields, rows, isWhole } = await firstRowsOf(deps, run, { maxRows: comparedRowsMax })
  const limit = comparedRowsMax.toLocaleString('en-US')
  return isWhole ? { fields, rows } : `The result has more than ${limit} rows, which are not compared.`
}
