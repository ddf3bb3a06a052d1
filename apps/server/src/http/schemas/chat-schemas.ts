import { type TProperties, Type } from 'typebox'
import {
  described,
  NullableInteger,
  NullableText,
  nullable,
  oneOf,
  orNull,
  RunStatus,
  Timestamp,
  Visualization,
} from '../schemas.ts'
import { AgentAnswer, ListedAutomationRun } from './automation-schemas.ts'
import { FirstRows, ParameterValues, ReferenceLink } from './query-schemas.ts'

const ofEveryMessage = {
  number: Type.Integer(),
  createdAt: Timestamp,
  revision: Type.Integer({ description: 'Of the chat, when this message changed last.' }),
  agentRunId: described(NullableText, 'Null for what a person wrote.'),
  user: orNull(Type.Object({ id: Type.String(), name: Type.String() })),
}

const message = <Content extends TProperties>(title: string, content: Content, description?: string) =>
  Type.Object({ ...ofEveryMessage, ...content }, { title, ...(description !== undefined && { description }) })

/** Each kind has a shape of its own; `kind` tells them apart. */
export const Message = Type.Union(
  [
    message('PlainMessage', { kind: oneOf(['instruction', 'question', 'note']), text: Type.String() }),
    message('MarkdownMessage', { kind: oneOf(['text', 'summary', 'answer']), text: Type.String() }),
    message(
      'QueryRunStep',
      {
        kind: Type.Literal('query_run'),
        runId: described(NullableText, 'Null until it has been started, and when it could not be.'),
        reference: orNull(ReferenceLink),
        sql: NullableText,
        parameterValues: ParameterValues,
        status: RunStatus,
        rowCount: NullableInteger,
        preview: orNull(FirstRows),
        failureReason: NullableText,
      },
      'The agent ran a query.',
    ),
    message(
      'ToolCallStep',
      {
        kind: Type.Literal('tool_call'),
        tool: Type.String(),
        connector: described(NullableText, 'The data connector whose tool it is; null for the service’s own.'),
        input: Type.String(),
        status: oneOf(['running', 'completed', 'failed']),
        output: NullableText,
      },
      'The model called a tool.',
    ),
    message(
      'ChartStep',
      {
        kind: Type.Literal('chart'),
        title: Type.String(),
        runId: Type.String(),
        visualization: Visualization,
        preview: orNull(FirstRows),
      },
      'The agent drew a chart.',
    ),
    message(
      'ReferenceStep',
      { kind: Type.Literal('reference'), shortId: Type.String(), title: Type.String() },
      'The agent saved a query under a permalink.',
    ),
    message('FailureMessage', {
      kind: Type.Literal('failure'),
      reason: Type.String(),
      isStopped: Type.Optional(Type.Boolean({ description: 'True if a person stopped the run.' })),
    }),
  ],
  { title: 'Message' },
)

const chatFields = {
  shortId: Type.String(),
  title: Type.String(),
  url: Type.String(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  automation: orNull(Type.Object({ id: Type.String(), name: Type.String() })),
}

const state = {
  revision: Type.Integer({ description: 'Grows with every change.' }),
  /** The latest: of the automation, or the answer to a question. */
  run: nullable(Type.Union([ListedAutomationRun, AgentAnswer], { title: 'AgentRun' })),
}

const content = {
  canAsk: Type.Boolean({ description: 'Whether something can be asked now: a model is set up, and no agent is at work.' }),
  messages: Type.Array(Message),
}

export const ListedChat = Type.Object({ ...chatFields, ...state }, { title: 'ListedChat' })

export const Chat = Type.Object(
  { ...chatFields, ...state, ...content },
  {
    title: 'Chat',
    description: 'The record of what an agent did and said, with the questions that people asked in between.',
  },
)

export const ChatNews = Type.Object(
  { ...state, ...content },
  { title: 'ChatNews', description: 'What has changed in a chat since a revision.' },
)
