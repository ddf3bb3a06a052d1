import { type Static, Type } from 'typebox'
import { askInChat, questionMaxCharacters, startChat } from '../../../domain/chats/ask.ts'
import { getPublishedChat, isChatAnswering } from '../../../domain/chats/published-chats.ts'
import { presentPublishedChat } from '../../present-published-chat.ts'
import { oneOf } from '../../schemas.ts'
import { chatStatuses } from '../../schemas/published-chat-schemas.ts'
import { bounds } from '../mcp-limits.ts'
import { shown, shownOrNull } from '../mcp-texts.ts'
import { closed, ConfigId, Next, nullableText, text, waiting } from '../shapes.ts'
import { defineTool, reads, type ToolContext } from '../tool.ts'
import { waitForEnd } from '../wait-for-end.ts'

const ChatShortId = Type.String({ maxLength: 100, description: 'shortId of the chat' })

const ChatAnswer = Type.Object({
  shortId: text,
  title: text,
  status: oneOf(chatStatuses),
  exchanges: Type.Array(
    Type.Object({ question: text, steps: Type.Array(text), answer: nullableText, failure: nullableText }),
    { description: 'The newest, oldest first' },
  ),
  url: text,
  next: Next,
})

export const ask = defineTool({
  name: 'ask',
  scope: 'run:chats',
  title: 'Ask a question',
  description:
    'Asks the organization’s data agent, in plain words. It finds or writes the queries itself; each figure links to its run. ' +
    'Takes seconds to minutes and uses the organization’s AI model. Name a chat to ask a follow-up question.',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: Type.Object(
    {
      question: Type.String({ minLength: 1, maxLength: questionMaxCharacters }),
      chat: Type.Optional(ChatShortId),
      analyticalDatabaseConfigId: Type.Optional(ConfigId),
      ...waiting(bounds.waitSecondsDefault),
    },
    closed,
  ),
  output: ChatAnswer,
  async call(context, { question, chat, analyticalDatabaseConfigId: databaseId, waitSeconds = bounds.waitSecondsDefault }) {
    const { services, caller } = context
    if (chat !== undefined) await askInChat(services, caller, { shortId: chat, text: question }, '/question')
    const shortId = chat ?? (await startChat(services, caller, { text: question, databaseId }, '/question'))
    return waitAndPresent(context, { shortId, waitSeconds, exchangesMax: 1 })
  },
})

export const readChat = defineTool({
  name: 'read_chat',
  scope: 'read:chats',
  title: 'Read a chat',
  description: `Returns the newest ${bounds.exchanges} questions of a chat with their answers. With waitSeconds it waits for the agent to finish.`,
  hints: reads,
  input: Type.Object({ chat: ChatShortId, ...waiting(0) }, closed),
  output: ChatAnswer,
  call: (context, { chat, waitSeconds = 0 }) =>
    waitAndPresent(context, { shortId: chat, waitSeconds, exchangesMax: bounds.exchanges }),
})

async function waitAndPresent(
  { services, caller, signal, reportProgress }: ToolContext,
  { shortId, waitSeconds, exchangesMax }: { shortId: string; waitSeconds: number; exchangesMax: number },
): Promise<Static<typeof ChatAnswer>> {
  await waitForEnd({
    clock: services.clock,
    waitMs: waitSeconds * 1000,
    signal,
    look: () => isChatAnswering(services, caller, shortId),
    isEnded: (isAnswering) => !isAnswering,
    onWaiting: () => reportProgress('answering'),
  })
  const chat = presentPublishedChat(await getPublishedChat(services, caller, shortId), services)
  const exchanges = exchangesIn(chat.messages).slice(-exchangesMax)
  return {
    shortId,
    title: shown(chat.title, bounds.listedText),
    status: chat.status,
    exchanges,
    url: chat.permalink,
    next:
      chat.status === 'answering'
        ? `The agent is still working. Use read_chat with chat ${shortId} and waitSeconds to wait for it.`
        : `To ask a follow-up question, use ask with chat ${shortId}.`,
  }
}

type Message = ReturnType<typeof presentPublishedChat>['messages'][number]
type Exchange = Static<typeof ChatAnswer>['exchanges'][number]

function exchangesIn(messages: Message[]): Exchange[] {
  const exchanges: Exchange[] = []
  for (const { kind, text: messageText } of messages) {
    const exchange = exchanges.at(-1)
    if (kind === 'question') exchanges.push({ question: shown(messageText, bounds.listedText), steps: [], answer: null, failure: null })
    else if (kind === 'answer') exchange!.answer = shownOrNull(messageText, bounds.summary)
    else if (kind === 'failure') exchange!.failure = shownOrNull(messageText, bounds.failureReason)
    else exchange!.steps = [...exchange!.steps, shown(messageText, bounds.listedText)].slice(-bounds.steps)
  }
  return exchanges
}
