import { Type } from 'typebox'
import { askInChat, questionMaxCharacters, startChat, stopInChat } from '../../../domain/chats/ask.ts'
import { getChat, getChatRow, listChats, readEarlierMessages, readOwnFeedback } from '../../../domain/chats/chats.ts'
import { deleteChat, renameChat } from '../../../domain/chats/edit-chat.ts'
import { giveFeedback, listFeedback, withdrawFeedback } from '../../../domain/chats/feedback.ts'
import type { ChatWatcher } from '../../../domain/chats/watch-chats.ts'
import type { AgentServices } from '../../../domain/services.ts'
import { titleMaxLength } from '../../../model/reference.ts'
import { callerOf } from '../../authenticate.ts'
import { eventStreamResponse, noBody, noContent } from '../../page-responses.ts'
import { presentChat, presentChatView, presentExchanges, presentFeedback, presentNews } from '../../present-chat.ts'
import { closed, listPage, PageQuery } from '../../schemas.ts'
import { Chat, ChatNews, EarlierMessages, Feedback, FeedbackInput, ListedChat, ListedFeedback } from '../../schemas/chat-schemas.ts'
import type { Api } from '../../typed.ts'

const MessageNumber = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 2 })
const Params = Type.Object({ shortId: Type.String() })
const MessageParams = Type.Object({ shortId: Type.String(), number: Type.String() })
const After = Type.Object({ after: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })) }, closed)
const Leaf = Type.Optional(
  Type.Integer({ ...MessageNumber, description: 'Show the path with this question; by default, the one with the newest.' }),
)
const text = Type.String({ minLength: 1, maxLength: questionMaxCharacters })

/** Chats: read them, follow them live, ask questions, rename and delete them, give feedback on answers. */
export function appChatRoutes(api: Api, services: AgentServices & { chatWatcher: ChatWatcher }): void {
  api.get(
    '/app/api/chats',
    { schema: { querystring: PageQuery, response: { 200: listPage(ListedChat) } } },
    async (request) => {
      const { items, ...page } = await listChats(services, callerOf(request), request.query)
      return { items: items.map((chat) => presentChat(chat, services)), ...page }
    },
  )

  api.post(
    '/app/api/chats',
    {
      schema: {
        body: Type.Object({ text, databaseId: Type.Optional(Type.String()) }, closed),
        response: { 202: Chat },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const shortId = await startChat(services, caller, request.body)
      return reply.code(202).send(presentChatView(await getChat(services, caller, shortId), services))
    },
  )

  api.get(
    '/app/api/chats/:shortId',
    { schema: { params: Params, querystring: Type.Object({ leaf: Leaf }, closed), response: { 200: Chat } } },
    async (request) =>
      presentChatView(await getChat(services, callerOf(request), request.params.shortId, request.query.leaf), services),
  )

  api.patch(
    '/app/api/chats/:shortId',
    {
      schema: {
        params: Params,
        body: Type.Object({ title: Type.String({ minLength: 1, maxLength: titleMaxLength }) }, closed),
        response: { 200: Chat },
      },
    },
    async (request) =>
      presentChatView(await renameChat(services, callerOf(request), { ...request.params, ...request.body }), services),
  )

  api.delete('/app/api/chats/:shortId', { ...noBody, schema: { params: Params, response: noContent } }, async (request, reply) => {
    await deleteChat(services, callerOf(request), request.params.shortId)
    return reply.code(204).send()
  })

  api.get(
    '/app/api/chats/:shortId/events',
    { config: { isEventStream: true }, schema: { params: Params, querystring: After, response: eventStreamResponse(ChatNews) } },
    async (request, reply) => {
      const caller = callerOf(request)
      const chat = await getChatRow(services, caller, request.params.shortId)
      // When the browser reconnects it sends this header, while the URL stays the same.
      const afterRevision = revisionIn(request.headers['last-event-id']) ?? request.query.after ?? 0
      return reply.sendEvents(async function* newsEvents(signal) {
        for await (const news of services.chatWatcher.watch(chat, { afterRevision, signal })) {
          const feedback = await readOwnFeedback(services, caller, chat, news.messages)
          yield { id: String(news.revision), event: 'chat', data: presentNews(news, feedback, services) }
        }
      })
    },
  )

  api.get(
    '/app/api/chats/:shortId/messages',
    {
      schema: {
        params: Params,
        querystring: Type.Object({ before: MessageNumber, leaf: Leaf }, closed),
        response: { 200: EarlierMessages },
      },
    },
    async (request) =>
      presentExchanges(await readEarlierMessages(services, callerOf(request), { ...request.params, ...request.query })),
  )

  api.post(
    '/app/api/chats/:shortId/messages',
    {
      schema: {
        params: Params,
        body: Type.Object(
          {
            text,
            follows: Type.Optional(
              Type.Unsafe<number | null>({
                type: ['integer', 'null'],
                description: 'The question or instruction that this one continues from; null to start over. By default, the newest.',
              }),
            ),
          },
          closed,
        ),
        response: { 202: Chat },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const { shortId } = request.params
      await askInChat(services, caller, { shortId, ...request.body })
      return reply.code(202).send(presentChatView(await getChat(services, caller, shortId), services))
    },
  )

  api.post('/app/api/chats/:shortId/stop', { ...noBody, schema: { params: Params, response: { 200: Chat } } }, async (request) => {
    const caller = callerOf(request)
    await stopInChat(services, caller, request.params.shortId)
    return presentChatView(await getChat(services, caller, request.params.shortId), services)
  })

  api.put(
    '/app/api/chats/:shortId/messages/:number/feedback',
    { schema: { params: MessageParams, body: FeedbackInput, response: { 200: Feedback } } },
    async (request) => giveFeedback(services, callerOf(request), { ...messageIn(request.params), ...request.body }),
  )

  api.delete(
    '/app/api/chats/:shortId/messages/:number/feedback',
    { ...noBody, schema: { params: MessageParams, response: noContent } },
    async (request, reply) => {
      await withdrawFeedback(services, callerOf(request), messageIn(request.params))
      return reply.code(204).send()
    },
  )

  api.get(
    '/app/api/chat-feedback',
    { schema: { querystring: PageQuery, response: { 200: listPage(ListedFeedback) } } },
    async (request) => {
      const { items, ...page } = await listFeedback(services, callerOf(request), request.query)
      return { items: items.map(presentFeedback), ...page }
    },
  )
}

/** No message has the number 0. */
const messageIn = ({ shortId, number }: { shortId: string; number: string }) => ({
  shortId,
  number: /^\d{1,9}$/.test(number) ? Number(number) : 0,
})

function revisionIn(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,9}$/.test(header) ? Number(header) : undefined
}
