import { Type } from 'typebox'
import { compareEvaluations, getEvaluation, listEvaluations, startEvaluation } from '../../domain/evaluations/evaluations.ts'
import { createQuestionSet, deleteQuestionSet, getQuestionSet, listQuestionSets, putQuestionSet, questionSetVersion, type QuestionSetInFull } from '../../domain/evaluations/question-sets.ts'
import { readKeptPage } from '../../domain/pagination/kept-list.ts'
import type { AgentServices } from '../../domain/services.ts'
import { callerOf } from '../authenticate.ts'
import { optionalBody } from '../body-parsers.ts'
import { OptionalIfMatch, readBasedOn, versioned, withEtag } from '../if-match.ts'
import { presentComparison, presentEvaluation, presentEvaluationInFull, presentListedSet, presentQuestionSet } from '../present-evaluation.ts'
import { responses } from '../responses.ts'
import { closed, listPage, PageQuery, pageOf, published, unnamed } from '../schemas.ts'
import { Evaluation, EvaluationComparison, EvaluationInFull, GivenEvaluation, GivenQuestionSet, ListedQuestionSet, QuestionSet } from '../schemas/evaluation-schemas.ts'
import type { Api } from '../typed.ts'

const tags = ['Evaluations']

const SetParams = Type.Object({
  id: Type.String({ description: 'The question set’s id.', examples: ['qset_2m8v'] }),
})
const Params = Type.Object({
  id: Type.String({ description: 'The evaluation’s id, from the response that started it.', examples: ['evaluation_7d3k'] }),
})
const Other = Type.Object(
  { with: Type.String({ description: 'The id of the earlier evaluation.', examples: ['evaluation_5b1c'] }) },
  closed,
)
const PublishedSet = versioned(published(QuestionSet, 'QuestionSet', 'Questions with known answers, to evaluate the model with.'))
const GivenSet = unnamed(published(GivenQuestionSet, 'GivenQuestionSet', 'A question set as it shall be.'))
const QuestionSets = pageOf('QuestionSetPage', ListedQuestionSet)
const Evaluations = { ...listPage(Evaluation), title: 'EvaluationPage', description: 'One page of a list, newest first.' }

/** Measure how well the model answers, for example in CI. */
export function evaluationRoutes(api: Api, services: AgentServices): void {
  const presentSet = (set: QuestionSetInFull) => ({ ...presentQuestionSet(set, services), version: questionSetVersion(set) })

  api.get(
    '/api/question-sets',
    {
      config: { scope: 'read:question-sets' },
      schema: {
        operationId: 'questionSets.list',
        tags,
        summary: 'List question sets, by name',
        description:
          'Lists the organization’s question sets, each with its latest evaluation, page by page. All pages show the list and every field as of the first page.',
        querystring: PageQuery,
        response: responses(200, QuestionSets, ['cursor_invalid', 'cursor_expired']),
      },
    },
    async (request) =>
      readKeptPage(services, callerOf(request), {
        list: 'question sets',
        request: request.query,
        readItems: async (count) => {
          const sets = await listQuestionSets(services, callerOf(request))
          return sets.slice(0, count).map((set) => presentListedSet(set, services))
        },
      }),
  )

  api.post(
    '/api/question-sets',
    {
      config: { scope: 'admin:question-sets' },
      schema: {
        operationId: 'questionSets.create',
        tags,
        summary: 'Create a question set',
        description: 'Creates a set of questions with known answers, to evaluate the model with. Only for admins.',
        body: GivenSet,
        response: responses(201, PublishedSet, ['forbidden', 'database_not_found', 'question_set_name_taken', 'body_too_large']),
      },
    },
    async (request, reply) => {
      const set = await createQuestionSet(services, callerOf(request), { schedule: null, ...request.body })
      return reply.code(201).send(withEtag(reply, presentSet(set)))
    },
  )

  api.get(
    '/api/question-sets/:id',
    {
      config: { scope: 'read:question-sets' },
      schema: {
        operationId: 'questionSets.get',
        tags,
        summary: 'Retrieve a question set',
        description: 'Returns the question set with its questions and its latest evaluation.',
        params: SetParams,
        response: responses(200, PublishedSet, ['question_set_not_found']),
      },
    },
    async (request, reply) => withEtag(reply, presentSet(await getQuestionSet(services, callerOf(request), request.params.id))),
  )

  api.put(
    '/api/question-sets/:id',
    {
      config: { scope: 'admin:question-sets' },
      schema: {
        operationId: 'questionSets.replace',
        tags,
        summary: 'Replace a question set',
        description: 'Replaces the name, the questions and the schedule. Earlier evaluations keep the questions that they asked. Only for admins.',
        params: SetParams,
        headers: OptionalIfMatch,
        body: GivenSet,
        response: responses(200, PublishedSet, [
          'forbidden',
          'question_set_not_found',
          'database_not_found',
          'question_set_name_taken',
          'managed_by_files',
          'version_conflict',
          'body_too_large',
        ]),
      },
    },
    async (request, reply) => {
      const input = { schedule: null, ...request.body, id: request.params.id }
      return withEtag(reply, presentSet(await putQuestionSet(services, callerOf(request), input, readBasedOn(request))))
    },
  )

  api.delete(
    '/api/question-sets/:id',
    {
      config: { scope: 'admin:question-sets' },
      schema: {
        operationId: 'questionSets.delete',
        tags,
        summary: 'Delete a question set',
        description: 'Returns the deleted set. Its evaluations are deleted with it, and their chats are kept. Only for admins.',
        params: SetParams,
        headers: OptionalIfMatch,
        response: responses(200, PublishedSet, ['forbidden', 'question_set_not_found', 'evaluation_already_running', 'managed_by_files', 'version_conflict', 'body_too_large']),
      },
    },
    async (request) => presentSet(await deleteQuestionSet(services, callerOf(request), request.params.id, readBasedOn(request))),
  )

  api.post(
    '/api/question-sets/:id/evaluations',
    {
      ...optionalBody,
      config: { scope: 'run:question-sets', ...optionalBody.config },
      schema: {
        operationId: 'questionSets.evaluate',
        tags,
        summary: 'Start an evaluation',
        description:
          'Asks the organization’s model all questions of the set, and returns immediately. Poll the evaluation until `endedAt` is set. A set has one evaluation at a time. Only admins may do this, and it counts toward the model’s budget.',
        params: SetParams,
        body: GivenEvaluation,
        response: responses(202, EvaluationInFull, [
          'forbidden',
          'question_set_not_found',
          'evaluation_already_running',
          'model_not_configured',
          'model_budget_exhausted',
          'body_too_large',
        ]),
      },
    },
    async (request, reply) => {
      const input = { questionSetId: request.params.id, label: request.body.label, trigger: 'api' as const }
      const evaluation = await startEvaluation(services, callerOf(request), input)
      return reply.code(202).send(presentEvaluationInFull(evaluation, services))
    },
  )

  api.get(
    '/api/question-sets/:id/evaluations',
    {
      config: { scope: 'read:question-sets' },
      schema: {
        operationId: 'evaluations.list',
        tags,
        summary: 'List the evaluations of a question set',
        description: 'Returns evaluations without their answers, newest first.',
        params: SetParams,
        querystring: PageQuery,
        response: responses(200, Evaluations, ['question_set_not_found', 'cursor_invalid', 'cursor_expired']),
      },
    },
    async (request) => {
      const { items, ...page } = await listEvaluations(services, callerOf(request), {
        ...request.query,
        questionSetId: request.params.id,
      })
      return { items: items.map((evaluation) => presentEvaluation(evaluation, services)), ...page }
    },
  )

  api.get(
    '/api/evaluations/:id',
    {
      config: { scope: 'read:question-sets' },
      schema: {
        operationId: 'evaluations.get',
        tags,
        summary: 'Retrieve an evaluation',
        description: 'Returns the score and the answer to each question.',
        params: Params,
        response: responses(200, EvaluationInFull, ['evaluation_not_found']),
      },
    },
    async (request) => presentEvaluationInFull(await getEvaluation(services, callerOf(request), request.params.id), services),
  )

  api.get(
    '/api/evaluations/:id/comparison',
    {
      config: { scope: 'read:question-sets' },
      schema: {
        operationId: 'evaluations.compare',
        tags,
        summary: 'Compare two evaluations',
        description: 'Returns which questions improved or regressed since an earlier evaluation. Questions are matched by their text.',
        params: Params,
        querystring: Other,
        response: responses(200, EvaluationComparison, ['evaluation_not_found']),
      },
    },
    async (request) => {
      const ids = { beforeId: request.query.with, afterId: request.params.id }
      return presentComparison(await compareEvaluations(services, callerOf(request), ids), services)
    },
  )
}
