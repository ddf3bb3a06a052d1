import { Type } from 'typebox'
import { askInChat, questionMaxCharacters, startChat } from '../../domain/chats/ask.ts'
import { getChatRow } from '../../domain/chats/chats.ts'
import { type ChatPosition, followChat, getPublishedChat, listPublishedChats } from '../../domain/chats/published-chats.ts'
import type { ChatWatcher } from '../../domain/chats/watch-chats.ts'
import type { AgentServices } from '../../domain/services.ts'
import { callerOf } from '../authenticate.ts'
import { presentListedPublishedChat, presentPublishedChat, presentPublishedMessage, presentStatus } from '../present-published-chat.ts'
import { responses } from '../responses.ts'
import { closed, PageQuery, pageOf } from '../schemas.ts'
import { ChatStatus, ListedPublishedChat, PublishedChat, PublishedMessage } from '../schemas/published-chat-schemas.ts'
import type { Api } from '../typed.ts'

const tags = ['Chats']
const Params = Type.Object({
  shortId: Type.String({ description: 'The chat’s `shortId`, as in its permalink.', examples: ['m4k2x8qdpw'] }),
})
const question = Type.String({
  minLength: 1,
  maxLength: questionMaxCharacters,
  description: 'The question, in plain words.',
  examples: ['How many orders did we get last week?'],
})

/** Ask questions and follow the answers. Not part of the retired API. */
export function chatRoutes(api: Api, services: AgentServices & { chatWatcher: ChatWatcher }): void {
  api.post(
    '/api/chats',
    {
      config: { scope: 'run:chats' },
      schema: {
        operationId: 'chats.create',
        tags,
        summary: 'Ask a question',
        description:
          'Starts a chat with a question and returns it immediately; an agent answers in the background. Follow its events, or retrieve it until its `status` is `idle`. Requires an AI model, which an admin sets up.',
        body: Type.Object(
          {
            question,
            analyticalDatabaseConfigId: Type.Optional(
              Type.String({ description: 'The analytical database to answer from. By default, the agent chooses.', examples: ['db_8s2k'] }),
            ),
          },
          closed,
        ),
        response: responses(202, PublishedChat, [
          'model_not_configured',
          'model_budget_exhausted',
          'database_not_found',
          'body_too_large',
        ]),
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const { question: text, analyticalDatabaseConfigId: databaseId } = request.body
      const shortId = await startChat(services, caller, { text, databaseId }, '/question')
      return reply.code(202).send(presentPublishedChat(await getPublishedChat(services, caller, shortId), services))
    },
  )

  api.post(
    '/api/chats/:shortId/messages',
    {
      config: { scope: 'run:chats' },
      schema: {
        operationId: 'chats.ask',
        tags,
        summary: 'Ask a follow-up question',
        description: 'Continues the chat from its newest question. A chat answers one question at a time.',
        params: Params,
        body: Type.Object({ question }, closed),
        response: responses(202, PublishedChat, [
          'chat_not_found',
          'chat_already_answering',
          'model_not_configured',
          'model_budget_exhausted',
          'body_too_large',
        ]),
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const { shortId } = request.params
      await askInChat(services, caller, { shortId, text: request.body.question }, '/question')
      return reply.code(202).send(presentPublishedChat(await getPublishedChat(services, caller, shortId), services))
    },
  )

  api.get(
    '/api/chats/:shortId',
    {
      config: { scope: 'read:chats' },
      schema: {
        operationId: 'chats.get',
        tags,
        summary: 'Retrieve a chat',
        description: 'Returns the chat with all its messages: questions, the steps of the agent, and answers with their figures.',
        params: Params,
        response: responses(200, PublishedChat, ['chat_not_found']),
      },
    },
    async (request) => presentPublishedChat(await getPublishedChat(services, callerOf(request), request.params.shortId), services),
  )

  api.get(
    '/api/chats',
    {
      config: { scope: 'read:chats' },
      schema: {
        operationId: 'chats.list',
        tags,
        summary: 'List chats, newest first',
        description:
          'Lists the organization’s chats, page by page, including those of automations. All pages show the list and every field as of the first page, including chats deleted since.',
        querystring: PageQuery,
        response: responses(200, pageOf('ChatPage', ListedPublishedChat), ['cursor_invalid', 'cursor_expired']),
      },
    },
    async (request) => {
      const page = await listPublishedChats(services, callerOf(request), request.query)
      return { ...page, items: page.items.map((chat) => presentListedPublishedChat(chat, services)) }
    },
  )

  api.get(
    '/api/chats/:shortId/events',
    {
      config: { scope: 'read:chats', isEventStream: true },
      schema: {
        operationId: 'chats.events',
        tags,
        summary: 'Follow a chat',
        description:
          'Streams server-sent events: a `message` for each message that is added or changes, from the first one on, and a `status` whenever it changes, after the messages that it covers. When the connection ends, reconnect with the last `id` as `Last-Event-ID` to continue without gaps or duplicates. A comment every 15 seconds keeps the connection alive.',
        params: Params,
        response: {
          ...responses(200, ChatStatus, ['chat_not_found', 'too_many_requests']),
          200: {
            description: 'The stream. The schema describes the data of its events.',
            content: { 'text/event-stream': { schema: Type.Union([PublishedMessage, ChatStatus]) } },
          },
        },
      },
    },
    async (request, reply) => {
      const chat = await getChatRow(services, callerOf(request), request.params.shortId)
      const after = positionIn(request.headers['last-event-id'])
      return reply.sendEvents(async function* chatEvents(signal) {
        for await (const event of followChat(services, chat, { after, signal })) {
          const id = idOf(event.position)
          yield event.kind === 'message'
            ? { id, event: 'message', data: presentPublishedMessage(event.message) }
            : { id, event: 'status', data: presentStatus(event) }
        }
      })
    },
  )
}

const statusLetters = { answering: 'a', idle: 'i' } as const

/** For example `17.4.a`: revision, number, and the first letter of the status, where known. */
function idOf({ revision, number, isAnswering }: ChatPosition): string {
  const status = isAnswering === undefined ? '' : isAnswering ? statusLetters.answering : statusLetters.idle
  return `${revision}.${number ?? ''}.${status}`
}

/** Anything else than an id of this stream starts at the beginning. */
function positionIn(header: string | string[] | undefined): ChatPosition {
  const [, revision, number, status] = /^(\d{1,9})\.(\d{0,9})\.([ai]?)$/.exec(typeof header === 'string' ? header : '') ?? []
  if (revision === undefined) return { revision: 0 }
  return {
    revision: Number(revision),
    number: number === '' ? undefined : Number(number),
    isAnswering: status === '' ? undefined : status === statusLetters.answering,
  }
}
