import { Type } from 'typebox'
import { askInChat, getChat, listChats, questionMaxCharacters, stopInChat, getChatRow } from '../../../domain/chats/chats.ts'
import { makeChatWatcher } from '../../../domain/chats/watch-chats.ts'
import type { AgentServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { eventStreamResponse, noBody } from '../../page-responses.ts'
import { presentChat, presentChatInFull, presentNews } from '../../present-chat.ts'
import { closed, listPage, PageQuery } from '../../schemas.ts'
import { Chat, ChatNews, ListedChat } from '../../schemas/chat-schemas.ts'
import type { Api } from '../../typed.ts'

const Params = Type.Object({ shortId: Type.String() })
const After = Type.Object({ after: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })) }, closed)
const Question = Type.Object({ text: Type.String({ minLength: 1, maxLength: questionMaxCharacters }) }, closed)

/** Chats: read them, follow them live, ask questions. */
export function chatRoutes(api: Api, services: AgentServices): void {
  const watcher = makeChatWatcher(services)

  api.get(
    '/app/api/chats',
    { schema: { querystring: PageQuery, response: { 200: listPage(ListedChat) } } },
    async (request) => {
      const { items, ...page } = await listChats(services, callerOf(request), request.query)
      return { items: items.map((chat) => presentChat(chat, services)), ...page }
    },
  )

  api.get('/app/api/chats/:shortId', { schema: { params: Params, response: { 200: Chat } } }, async (request) =>
    presentChatInFull(await getChat(services, callerOf(request), request.params.shortId), services),
  )

  api.get(
    '/app/api/chats/:shortId/events',
    { config: { isEventStream: true }, schema: { params: Params, querystring: After, response: eventStreamResponse(ChatNews) } },
    async (request, reply) => {
      const chat = await getChatRow(services, callerOf(request), request.params.shortId)
      // When the browser reconnects it sends this header, while the URL stays the same.
      const afterRevision = revisionIn(request.headers['last-event-id']) ?? request.query.after ?? 0
      return reply.sendEvents(async function* newsEvents(signal) {
        for await (const news of watcher.watch(chat, { afterRevision, signal })) {
          yield { id: String(news.revision), event: 'chat', data: presentNews(news, services) }
        }
      })
    },
  )

  api.post(
    '/app/api/chats/:shortId/messages',
    { schema: { params: Params, body: Question, response: { 202: Chat } } },
    async (request, reply) => {
      const input = { shortId: request.params.shortId, text: request.body.text }
      return reply.code(202).send(presentChatInFull(await askInChat(services, callerOf(request), input), services))
    },
  )

  api.post(
    '/app/api/chats/:shortId/stop',
    { ...noBody, schema: { params: Params, response: { 200: Chat } } },
    async (request) =>
      presentChatInFull(await stopInChat(services, callerOf(request), request.params.shortId), services),
  )
}

function revisionIn(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,9}$/.test(header) ? Number(header) : undefined
}
