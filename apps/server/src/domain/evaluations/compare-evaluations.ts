import type { AnswerStatus, Evaluation, EvaluationAnswer, EvaluationInFull } from '../../model/question-set.ts'

export const answerChanges = ['improved', 'regressed', 'same', 'added', 'removed'] as const
export type AnswerChange = (typeof answerChanges)[number]

export interface ComparedAnswer {
  question: string
  /** Null if it was not asked. */
  before: ComparedSide | null
  after: ComparedSide | null
  change: AnswerChange
}

type ComparedSide = Pick<EvaluationAnswer, 'status' | 'chatShortId' | 'explanation' | 'runId' | 'sql'>

export interface EvaluationComparison {
  before: Evaluation
  after: Evaluation
  /** In the order of the newer evaluation; then those that only the older one asked. */
  questions: ComparedAnswer[]
}

/** Questions are the same if their text is, even if what is expected of them has changed. */
export function compareAnswers(before: EvaluationInFull, after: EvaluationInFull): EvaluationComparison {
  const earlier = new Map(before.answers.map((answer) => [answer.question.text, answer]))
  const later = new Set(after.answers.map(({ question }) => question.text))
  const removed = before.answers.filter(({ question }) => !later.has(question.text))
  const { answers: _before, ...summaryBefore } = before
  const { answers: _after, ...summaryAfter } = after
  return {
    before: summaryBefore,
    after: summaryAfter,
    questions: [
      ...after.answers.map((answer) => compared(answer.question.text, earlier.get(answer.question.text), answer)),
      ...removed.map((answer) => compared(answer.question.text, answer, undefined)),
    ],
  }
}

const compared = (question: string, before: EvaluationAnswer | undefined, after: EvaluationAnswer | undefined): ComparedAnswer => ({
  question,
  before: before ? sideOf(before) : null,
  after: after ? sideOf(after) : null,
  change: changeOf(before?.status, after?.status),
})

const sideOf = ({ status, chatShortId, explanation, runId, sql }: EvaluationAnswer): ComparedSide => ({
  status,
  chatShortId,
  explanation,
  runId,
  sql,
})

function changeOf(before: AnswerStatus | undefined, after: AnswerStatus | undefined): AnswerChange {
  if (before === undefined) return 'added'
  if (after === undefined) return 'removed'
  const [wasCorrect, isCorrect] = [before === 'correct', after === 'correct']
  if (wasCorrect === isCorrect) return 'same'
  return isCorrect ? 'improved' : 'regressed'
}

/** The share of correct answers among all questions; null while the evaluation runs. */
export function scoreOf({ counts, endedAt }: Evaluation): number | null {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return endedAt === null || total === 0 ? null : counts.correct / total
}
