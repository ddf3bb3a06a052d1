import { Type } from 'typebox'
import {
  changeThread,
  countComments,
  editComment,
  getThread,
  listThreads,
  removeComment,
  reply,
  startThread,
} from '../../../domain/comments/comments.ts'
import type { QueryServices } from '../../../domain/services.ts'
import { type CommentThread as Thread, threadFilters } from '../../../model/comment.ts'
import type { ItemKind } from '../../../model/item.ts'
import { callerOf } from '../../authenticate.ts'
import { noContent } from '../../page-responses.ts'
import { closed, listPage, oneOf, PageQuery } from '../../schemas.ts'
import { CommentCounts, CommentText, CommentThread, NewThread, ThreadChange } from '../../schemas/comment-schemas.ts'
import { timesAsText } from '../../times-as-text.ts'
import type { Api } from '../../typed.ts'

const Params = Type.Object({ shortId: Type.String() })
const ThreadParams = Type.Object({ threadId: Type.String() })
const CommentParams = Type.Object({ commentId: Type.String() })
const ListQuery = Type.Object(
  { ...PageQuery.properties, show: Type.Optional(oneOf(threadFilters)), tileId: Type.Optional(Type.String()) },
  closed,
)

const present = ({ kind: _, ...thread }: Thread) => ({ ...timesAsText(thread), comments: thread.comments.map(timesAsText) })

/** Comments on queries and boards. */
export function commentRoutes(api: Api, services: QueryServices): void {
  routesOf('/app/api/references/:shortId', 'reference')
  routesOf('/app/api/boards/:shortId', 'board')

  function routesOf(item: string, kind: ItemKind): void {
    api.get(
      `${item}/comment-threads`,
      { schema: { params: Params, querystring: ListQuery, response: { 200: listPage(CommentThread) } } },
      async (request) => {
        const page = await listThreads(services, callerOf(request), { kind, ...request.params, ...request.query })
        return { ...page, items: page.items.map(present) }
      },
    )

    api.get(`${item}/comment-counts`, { schema: { params: Params, response: { 200: CommentCounts } } }, async (request) =>
      countComments(services, callerOf(request), { kind, ...request.params }),
    )

    api.post(
      `${item}/comment-threads`,
      { schema: { params: Params, body: NewThread, response: { 201: CommentThread } } },
      async (request, reply) => {
        const thread = await startThread(services, callerOf(request), { kind, ...request.params, ...request.body })
        return reply.code(201).send(present(thread))
      },
    )
  }

  api.get(
    '/app/api/comment-threads/:threadId',
    { schema: { params: ThreadParams, response: { 200: CommentThread } } },
    async (request) => present(await getThread(services, callerOf(request), request.params.threadId)),
  )

  api.patch(
    '/app/api/comment-threads/:threadId',
    { schema: { params: ThreadParams, body: ThreadChange, response: { 200: CommentThread } } },
    async (request) => present(await changeThread(services, callerOf(request), { ...request.params, ...request.body })),
  )

  api.post(
    '/app/api/comment-threads/:threadId/comments',
    { schema: { params: ThreadParams, body: CommentText, response: { 201: CommentThread } } },
    async (request, answer) =>
      answer.code(201).send(present(await reply(services, callerOf(request), { ...request.params, ...request.body }))),
  )

  api.patch(
    '/app/api/comments/:commentId',
    { schema: { params: CommentParams, body: CommentText, response: { 200: CommentThread } } },
    async (request) => present(await editComment(services, callerOf(request), { ...request.params, ...request.body })),
  )

  api.delete('/app/api/comments/:commentId', { schema: { params: CommentParams, response: noContent } }, async (request, answer) => {
    await removeComment(services, callerOf(request), request.params.commentId)
    return answer.code(204).send()
  })
}
