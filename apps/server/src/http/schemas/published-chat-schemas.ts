import { Type } from 'typebox'
import { described, NullableInteger, NullableText, oneOf, RunStatus, Timestamp } from '../schemas.ts'
import { Figure } from './chat-schemas.ts'

export const chatStatuses = ['answering', 'idle'] as const

const Status = described(oneOf(chatStatuses), '`answering` while an agent works on a question; otherwise `idle`.')

export const PublishedMessage = Type.Object(
  {
    number: Type.Integer({ description: 'Its place in the chat: 1, 2, 3, …' }),
    role: oneOf(['person', 'agent']),
    kind: described(
      oneOf(['question', 'step', 'answer', 'failure']),
      '`question`: by a person, or the instructions of an automation. `step`: what the agent did. `answer`: its answer or report. `failure`: why there is none.',
    ),
    text: Type.String({
      description: 'For an answer, Markdown in which every computed figure is printed. For a step, one line saying what was done.',
    }),
    createdAt: Timestamp,
    figures: Type.Array(Figure, { description: 'The figures in the text, in order. Empty for other kinds.' }),
    follows: Type.Optional(
      described(NullableInteger, 'Of a question: the number of the question it continues from; null if it starts the chat.'),
    ),
    followUps: Type.Optional(Type.Array(Type.String(), { description: 'Of an answer: questions to ask next.' })),
    steps: Type.Optional(
      Type.Array(Type.Integer(), {
        description: 'Of an answer or failure, in a chat that is read as a whole: the numbers of the steps that led to it.',
      }),
    ),
    runId: Type.Optional(described(NullableText, 'Of a step that ran a query: the run. Null if it could not be started.')),
    sql: Type.Optional(described(NullableText, 'Of a step that ran a query: its SQL.')),
    status: Type.Optional(RunStatus),
    rowCount: Type.Optional(described(NullableInteger, 'Of a step that ran a query: the number of rows in its result.')),
  },
  { title: 'ChatMessage', description: 'A message of a chat: a question, a step, or an answer.' },
)

const chatFields = {
  id: Type.String({ examples: ['chat_7d2k'] }),
  shortId: Type.String({ description: 'Identifier of the permalink.', examples: ['m4k2x8qdpw'] }),
  permalink: Type.String({ examples: ['http://localhost:3000/chats/m4k2x8qdpw'] }),
  title: Type.String({ description: 'The first words of the question, until it is renamed.', examples: ['Why did revenue fall in May?'] }),
  status: Status,
  createdAt: Timestamp,
  updatedAt: described(Timestamp, 'When it was created or renamed, or when a question was last asked or answered.'),
}

export const PublishedChat = Type.Object(
  { ...chatFields, messages: Type.Array(PublishedMessage, { description: 'All messages, in order.' }) },
  { title: 'Chat', description: 'Questions in plain words, and the answers of an agent with their figures.' },
)

export const ListedPublishedChat = Type.Object(chatFields, { title: 'ListedChat', description: 'A chat in a list, without its messages.' })

export const ChatStatus = Type.Object({ status: Status }, { title: 'ChatStatus', description: 'The data of `status`.' })
