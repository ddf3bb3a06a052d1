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

const commonMessageFields = {
  number: Type.Integer(),
  createdAt: Timestamp,
  revision: Type.Integer({ description: 'The revision of the chat when this message last changed.' }),
  agentRunId: described(NullableText, 'Null for messages written by a person.'),
  user: orNull(Type.Object({ id: Type.String(), name: Type.String() })),
}

const message = <Content extends TProperties>(title: string, content: Content, description?: string) =>
  Type.Object({ ...commonMessageFields, ...content }, { title, ...(description !== undefined && { description }) })

/** A union discriminated by `kind`. */
export const Message = Type.Union(
  [
    message('PlainMessage', { kind: oneOf(['instruction', 'question', 'note']), text: Type.String() }),
    message('MarkdownMessage', { kind: oneOf(['text', 'summary', 'answer']), text: Type.String() }),
    message(
      'KnowledgeMessage',
      {
        kind: Type.Literal('knowledge'),
        used: Type.Array(
          Type.Object(
            {
              kind: oneOf(['metric', 'verified_query', 'table', 'instructions']),
              name: Type.String(),
              href: Type.Optional(Type.String({ description: 'The page about it, as a path.' })),
            },
            { title: 'UsedKnowledge' },
          ),
        ),
      },
      'What the organization knows that was part of the agent’s prompt.',
    ),
    message(
      'QueryRunStep',
      {
        kind: Type.Literal('query_run'),
        runId: described(NullableText, 'Null until the run has been started, or if it could not be started.'),
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
        connector: described(NullableText, 'The data connector that provides the tool; null for built-in tools.'),
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
  revision: Type.Integer({ description: 'Increases with every change.' }),
  /** The latest run: of the automation, or an answer to a question. */
  run: nullable(Type.Union([ListedAutomationRun, AgentAnswer], { title: 'AgentRun' })),
}

const content = {
  canAsk: Type.Boolean({ description: 'Whether a question can be asked now: a model is set up and no agent is running.' }),
  messages: Type.Array(Message),
}

export const ListedChat = Type.Object({ ...chatFields, ...state }, { title: 'ListedChat' })

export const Chat = Type.Object(
  { ...chatFields, ...state, ...content },
  {
    title: 'Chat',
    description: 'The steps and answers of an agent, with the questions that people asked.',
  },
)

export const ChatNews = Type.Object(
  { ...state, ...content },
  { title: 'ChatNews', description: 'Changes in a chat since a revision.' },
)
