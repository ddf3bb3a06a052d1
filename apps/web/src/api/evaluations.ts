import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { GivenQuestionSet, TriedEvaluation } from './generated/schemas.ts'
import { request } from './request.ts'

export type {
  AnswerStatus,
  ComparedAnswer,
  ComparedSide,
  Evaluation,
  EvaluationAnswer,
  EvaluationComparison,
  EvaluationInFull,
  GivenProposal,
  GivenQuestionSet,
  ListedQuestionSet,
  QuestionSet,
} from './generated/schemas.ts'

/** How often a running evaluation is read again. */
const refreshMs = 2_000

export const questionSetsOptions = queryOptions({
  queryKey: ['evaluations', 'sets'],
  staleTime: 0,
  queryFn: async ({ signal }) => (await request('GET /question-sets', { signal })).items,
  refetchInterval: ({ state }) =>
    state.data?.some(({ latestEvaluation }) => latestEvaluation?.endedAt === null) ? refreshMs : false,
})

export const questionSetOptions = (id: string) =>
  queryOptions({
    queryKey: ['evaluations', 'sets', id],
    queryFn: ({ signal }) => request('GET /question-sets/{id}', { params: { id }, signal }),
  })

/** The evaluations of a set, newest first. */
export const evaluationsOptions = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['evaluations', 'sets', id, 'history'],
    staleTime: 0,
    queryFn: ({ signal, pageParam: cursor }) =>
      request('GET /question-sets/{id}/evaluations', { params: { id }, query: { cursor, limit: 20 }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    refetchInterval: ({ state }) => (state.data?.pages[0]?.items[0]?.endedAt === null ? refreshMs : false),
  })

export const evaluationOptions = (id: string) =>
  queryOptions({
    queryKey: ['evaluations', id],
    queryFn: ({ signal }) => request('GET /evaluations/{id}', { params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.endedAt === null ? refreshMs : false),
  })

/** How the evaluation differs from an earlier one. */
export const comparisonOptions = (id: string, earlierId: string) =>
  queryOptions({
    queryKey: ['evaluations', id, 'comparison', earlierId],
    queryFn: ({ signal }) => request('GET /evaluations/{id}/comparison', { params: { id }, query: { with: earlierId }, signal }),
  })

export const addQuestionSet = (body: GivenQuestionSet) => request('POST /question-sets', { body })
export const changeQuestionSet = (id: string, body: GivenQuestionSet) => request('PUT /question-sets/{id}', { params: { id }, body })
export const deleteQuestionSet = (id: string) => request('DELETE /question-sets/{id}', { params: { id } })
export const startEvaluation = (id: string, body: TriedEvaluation = {}) => request('POST /question-sets/{id}/evaluations', { params: { id }, body })
/** The evaluation of the model and the knowledge as they are now; null if there is none. */
export const findBaseline = async (id: string) => (await request('GET /question-sets/{id}/baseline', { params: { id } })).evaluation
export const readEvaluation = (id: string) => request('GET /evaluations/{id}', { params: { id } })
export const compareEvaluations = (id: string, earlierId: string) =>
  request('GET /evaluations/{id}/comparison', { params: { id }, query: { with: earlierId } })
export const stopEvaluation = (id: string) => request('POST /evaluations/{id}/stop', { params: { id } })
