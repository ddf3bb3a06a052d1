import type { Schedule } from './automation.ts'
import type { ProposedContent } from './knowledge.ts'

/**
 * A *question set* is a list of questions with known answers. An *evaluation* asks the model all of them and counts the correct
 * answers, so that two models, or two states of the organization's knowledge, can be compared. It may try a change of the knowledge that is not saved.
 *
 * - Each question is answered by an agent run with a chat of its own, so leases, restarts, stops, limits and budgets apply as everywhere.
 *   These chats can be opened but are not listed.
 * - An answer is *correct* if the result of the query run that the model names equals the expected result (`match-results.ts`). What the
 *   model writes is not compared.
 * - At most `answersAtOnce` questions of an evaluation are answered at a time, so that people who ask do not wait behind hundreds of
 *   them. The transaction that ends one answer starts the next.
 */
export interface QuestionSet extends QuestionSetContent {
  id: string
  organizationId: string
  nextDueAt: Date | null
  createdBy: string
  createdAt: Date
  updatedAt: Date
}

/** What people write. */
export interface QuestionSetContent {
  name: string
  questions: TestQuestion[]
  /** When it is evaluated automatically, on behalf of the person who created it. */
  schedule: Schedule | null
}

/** A question with exactly one of an expected statement and expected rows. */
export interface TestQuestion {
  /** Unique within the set. */
  text: string
  databaseId: string
  /** Its result is the expected one, as of the evaluation. */
  expectedSql: string | null
  expectedRows: unknown[][] | null
  /** Whether the rows must be in the expected order. */
  isOrdered: boolean
  /** By how much numbers may differ. */
  tolerance: number
}

export const answersAtOnce = 4

export const evaluationTriggers = ['person', 'api', 'schedule'] as const
export type EvaluationTrigger = (typeof evaluationTriggers)[number]

export interface Evaluation {
  id: string
  organizationId: string
  questionSetId: string
  questionSetName: string
  label: string | null
  model: string
  trigger: EvaluationTrigger
  requestedBy: { id: string; name: string }
  requestedAt: Date
  endedAt: Date | null
  /** What it tried that was not saved, with a name for people. Null for an evaluation of the knowledge as it was. */
  proposal: { kind: ProposedContent['kind']; name: string } | null
  /** For a proposal: the evaluation without it, to compare with. Null if there was none. */
  baselineId: string | null
  counts: Record<AnswerStatus, number>
}

/**
 * waiting → running → correct | wrong | failed | stopped; also waiting → stopped.
 *
 * - `failed`: the agent failed or ran no query, or the expected result could not be read.
 * - `stopped`: a person stopped the evaluation.
 */
export const answerStatuses = ['waiting', 'running', 'correct', 'wrong', 'failed', 'stopped'] as const
export type AnswerStatus = (typeof answerStatuses)[number]

export interface EvaluationAnswer {
  position: number
  question: TestQuestion
  status: AnswerStatus
  chatShortId: string | null
  /** The query run whose result was compared. */
  runId: string | null
  /** How the result differs, or why there is none. Null if it is correct or has not ended. */
  explanation: string | null
  /** The SQL of that query run; null once the run is removed. */
  sql: string | null
}

export interface EvaluationInFull extends Evaluation {
  answers: EvaluationAnswer[]
}

/** The outcome of an answer that has ended. */
export interface AnswerOutcome {
  status: 'correct' | 'wrong' | 'failed' | 'stopped'
  runId: string | null
  explanation: string | null
}
