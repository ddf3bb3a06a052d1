import { type EvaluationComparison, scoreOf } from '../domain/evaluations/compare-evaluations.ts'
import type { QuestionSetInFull } from '../domain/evaluations/question-sets.ts'
import type { Evaluation, EvaluationInFull } from '../model/question-set.ts'

interface Site {
  baseUrl: string
}

const chatUrl = ({ baseUrl }: Site, shortId: string | null) => shortId && `${baseUrl}/chats/${shortId}`

export function presentEvaluation(evaluation: Evaluation, site: Site) {
  const { organizationId: _, requestedAt, endedAt, ...rest } = evaluation
  return {
    ...rest,
    requestedAt: requestedAt.toISOString(),
    endedAt: endedAt && endedAt.toISOString(),
    score: scoreOf(evaluation),
    url: `${site.baseUrl}/evaluations/${evaluation.id}`,
  }
}

export function presentEvaluationInFull({ answers, ...evaluation }: EvaluationInFull, site: Site) {
  return {
    ...presentEvaluation(evaluation, site),
    answers: answers.map(({ question, status, chatShortId, runId, sql, explanation }) => ({
      question,
      status,
      chatUrl: chatUrl(site, chatShortId),
      runId,
      sql,
      explanation,
    })),
  }
}

/** Without its questions. */
export function presentListedSet(set: QuestionSetInFull, site: Site) {
  const { id, name, questions, schedule, nextDueAt, createdAt, updatedAt, latestEvaluation } = set
  return {
    id,
    name,
    questionCount: questions.length,
    schedule,
    nextDueAt: nextDueAt && nextDueAt.toISOString(),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    latestEvaluation: latestEvaluation && presentEvaluation(latestEvaluation, site),
  }
}

export const presentQuestionSet = (set: QuestionSetInFull, site: Site) => ({
  ...presentListedSet(set, site),
  questions: set.questions,
})

export function presentComparison({ before, after, questions }: EvaluationComparison, site: Site) {
  const side = (answer: EvaluationComparison['questions'][number]['before']) =>
    answer && {
      status: answer.status,
      explanation: answer.explanation,
      chatUrl: chatUrl(site, answer.chatShortId),
      runId: answer.runId,
      sql: answer.sql,
    }
  return {
    before: presentEvaluation(before, site),
    after: presentEvaluation(after, site),
    questions: questions.map(({ question, change, ...answers }) => ({
      question,
      change,
      before: side(answers.before),
      after: side(answers.after),
    })),
  }
}
