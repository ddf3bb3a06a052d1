import { Type } from 'typebox'
import { compareEvaluations, getBaseline, getEvaluation, listEvaluations, startEvaluation, stopEvaluation } from '../../../domain/evaluations/evaluations.ts'
import {
  createQuestionSet,
  deleteQuestionSet,
  getQuestionSet,
  listQuestionSets,
  putQuestionSet,
} from '../../../domain/evaluations/question-sets.ts'
import type { AgentServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { optionalBody } from '../../body-parsers.ts'
import { noBody, noContent } from '../../page-responses.ts'
import { presentComparison, presentEvaluation, presentEvaluationInFull, presentListedSet, presentQuestionSet } from '../../present-evaluation.ts'
import { closed, listPage, PageQuery, wholeList } from '../../schemas.ts'
import {
  Baseline,
  Evaluation,
  EvaluationComparison,
  EvaluationInFull,
  GivenQuestionSet,
  ListedQuestionSet,
  QuestionSet,
  TriedEvaluation,
} from '../../schemas/evaluation-schemas.ts'
import type { Api } from '../../typed.ts'

const Params = Type.Object({ id: Type.String() })
const Other = Type.Object({ with: Type.String({ description: 'The id of the earlier evaluation.' }) }, closed)

/** Question sets and evaluations: members can read them, admins can change and run them. */
export function appEvaluationRoutes(api: Api, services: AgentServices): void {
  api.get('/app/api/question-sets', { schema: { response: { 200: wholeList(ListedQuestionSet) } } }, async (request) => {
    const sets = await listQuestionSets(services, callerOf(request))
    return { items: sets.map((set) => presentListedSet(set, services)) }
  })

  api.post(
    '/app/api/question-sets',
    { schema: { body: GivenQuestionSet, response: { 201: QuestionSet } } },
    async (request, reply) => {
      const set = await createQuestionSet(services, callerOf(request), { schedule: null, ...request.body })
      return reply.code(201).send(presentQuestionSet(set, services))
    },
  )

  api.get('/app/api/question-sets/:id', { schema: { params: Params, response: { 200: QuestionSet } } }, async (request) =>
    presentQuestionSet(await getQuestionSet(services, callerOf(request), request.params.id), services),
  )

  api.put(
    '/app/api/question-sets/:id',
    { schema: { params: Params, body: GivenQuestionSet, response: { 200: QuestionSet } } },
    async (request) => {
      const input = { schedule: null, ...request.body, id: request.params.id }
      return presentQuestionSet(await putQuestionSet(services, callerOf(request), input), services)
    },
  )

  api.delete('/app/api/question-sets/:id', { schema: { params: Params, response: noContent } }, async (request, reply) => {
    await deleteQuestionSet(services, callerOf(request), request.params.id)
    return reply.code(204).send()
  })

  api.get(
    '/app/api/question-sets/:id/evaluations',
    { schema: { params: Params, querystring: PageQuery, response: { 200: listPage(Evaluation) } } },
    async (request) => {
      const { items, ...page } = await listEvaluations(services, callerOf(request), {
        ...request.query,
        questionSetId: request.params.id,
      })
      return { items: items.map((evaluation) => presentEvaluation(evaluation, services)), ...page }
    },
  )

  api.post(
    '/app/api/question-sets/:id/evaluations',
    { ...optionalBody, schema: { params: Params, body: TriedEvaluation, response: { 202: EvaluationInFull } } },
    async (request, reply) => {
      const { label, proposal } = request.body
      const input = { questionSetId: request.params.id, label, proposal, trigger: 'person' as const }
      const evaluation = await startEvaluation(services, callerOf(request), input)
      return reply.code(202).send(presentEvaluationInFull(evaluation, services))
    },
  )

  api.get('/app/api/question-sets/:id/baseline', { schema: { params: Params, response: { 200: Baseline } } }, async (request) => {
    const evaluation = await getBaseline(services, callerOf(request), request.params.id)
    return { evaluation: evaluation && presentEvaluation(evaluation, services) }
  })

  api.get('/app/api/evaluations/:id', { schema: { params: Params, response: { 200: EvaluationInFull } } }, async (request) =>
    presentEvaluationInFull(await getEvaluation(services, callerOf(request), request.params.id), services),
  )

  api.post(
    '/app/api/evaluations/:id/stop',
    { ...noBody, schema: { params: Params, response: { 200: EvaluationInFull } } },
    async (request) => presentEvaluationInFull(await stopEvaluation(services, callerOf(request), request.params.id), services),
  )

  api.get(
    '/app/api/evaluations/:id/comparison',
    { schema: { params: Params, querystring: Other, response: { 200: EvaluationComparison } } },
    async (request) => {
      const ids = { beforeId: request.query.with, afterId: request.params.id }
      return presentComparison(await compareEvaluations(services, callerOf(request), ids), services)
    },
  )
}
