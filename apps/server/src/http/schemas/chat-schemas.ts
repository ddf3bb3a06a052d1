import { type TProperties, Type } from 'typebox'
import { usedKnowledgeLabels } from '../../model/knowledge.ts'
import {
  closed,
  columnSettingsFields,
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
  agentRunId: described(NullableText, 'Null for messages by people and by the service itself.'),
  user: orNull(Type.Object({ id: Type.String(), name: Type.String() })),
}

const message = <Content extends TProperties>(title: string, content: Content, description?: string) =>
  Type.Object({ ...commonMessageFields, ...content }, { title, ...(description !== undefined && { description }) })

export const Figure = Type.Object(
  {
    id: Type.String({ description: 'Unique within the message.', examples: ['f1'] }),
    text: Type.String({ description: 'The figure as printed.', examples: ['138,753'] }),
    isProven: Type.Boolean({ description: 'True if it was computed from a stored result. Otherwise it is struck through in the text.' }),
    value: described(NullableText, 'The exact value: a decimal number as text, or a label. Null if it is not proven.'),
    unit: described(NullableText, 'Such as `%` or `€`; empty if it has none. Null if it is not proven.'),
    runId: described(NullableText, 'The run whose result it was computed from. Null if it is not proven.'),
    expression: described(NullableText, 'How it was computed from the rows of the result. Null if it is not proven.'),
    start: Type.Integer({ description: 'Where it begins in the message’s `text`, in UTF-16 units.' }),
    end: Type.Integer({ description: 'Where it ends in the message’s `text`, in UTF-16 units.' }),
    reason: described(NullableText, 'Why it is not proven. Null if it is.'),
  },
  { title: 'Figure', description: 'A quantity, date or label in an answer, with the result that it was computed from.' },
)

const feedbackFields = {
  isHelpful: Type.Boolean(),
  remark: described(NullableText, 'What the person added; null if nothing.'),
}

export const Feedback = Type.Object(feedbackFields, { title: 'Feedback', description: 'Your own feedback on an answer.' })

export const remarkMaxLength = 2_000

export const FeedbackInput = Type.Object(
  { isHelpful: Type.Boolean(), remark: Type.Optional(Type.Unsafe<string | null>({ ...NullableText, maxLength: remarkMaxLength })) },
  closed,
)

/** A union discriminated by `kind`. */
export const Message = Type.Union(
  [
    message('PlainMessage', { kind: oneOf(['instruction', 'note']), text: Type.String() }),
    message('QuestionMessage', {
      kind: Type.Literal('question'),
      text: Type.String(),
      follows: described(
        NullableInteger,
        'The number of the question or instruction that this question continues from; null if it starts the chat.',
      ),
    }),
    message('MarkdownMessage', {
      kind: oneOf(['text', 'summary', 'answer']),
      text: Type.String(),
      figures: Type.Array(Figure),
      followUps: Type.Array(Type.String(), { description: 'Questions to ask next.' }),
      feedback: nullable(Feedback),
    }),
    message(
      'KnowledgeMessage',
      {
        kind: Type.Literal('knowledge'),
        used: Type.Array(
          Type.Object(
            {
              kind: oneOf(Object.keys(usedKnowledgeLabels) as (keyof typeof usedKnowledgeLabels)[]),
              label: Type.String({ description: 'What to call it before its name, such as “verified query”.' }),
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
        columns: columnSettingsFields.columns,
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
  startedBy: described(
    orNull(Type.Object({ id: Type.String(), name: Type.String() })),
    'The person who started the chat with a question; null for a chat of an automation.',
  ),
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

const Branch = Type.Object(
  {
    follows: described(NullableInteger, 'The question or instruction that these questions continue from; null if they start the chat.'),
    questions: Type.Array(Type.Integer(), { description: 'The numbers of the questions, oldest first.' }),
  },
  { title: 'Branch', description: 'A place where the chat continues with one of several questions.' },
)

const branches = Type.Array(Branch, { description: 'The places among these exchanges with more than one question.' })
const hasEarlier = Type.Boolean({ description: 'Whether the path has exchanges before these messages.' })

export const Chat = Type.Object(
  {
    ...chatFields,
    ...state,
    ...content,
    canEdit: Type.Boolean({ description: 'Whether you may rename and delete the chat: you started it, or you are an admin.' }),
    leaf: described(NullableInteger, 'The question or instruction of the last exchange shown; null in an empty chat.'),
    branches,
    hasEarlier,
  },
  {
    title: 'Chat',
    description: 'The newest exchanges on one path through a chat: each question with the steps and the answer of the agent.',
  },
)

export const EarlierMessages = Type.Object(
  { messages: Type.Array(Message), branches, hasEarlier },
  { title: 'EarlierMessages', description: 'The exchanges before a question, on one path through a chat.' },
)

export const ListedFeedback = Type.Object(
  {
    chat: Type.Object({ shortId: Type.String(), title: Type.String() }),
    messageNumber: Type.Integer({ description: 'The number of the answer in its chat.' }),
    question: described(NullableText, 'The question or instructions that were answered.'),
    answer: Type.String({ description: 'The beginning of the answer, as plain text.' }),
    person: Type.Object({ id: Type.String(), name: Type.String() }),
    ...feedbackFields,
    updatedAt: Timestamp,
  },
  { title: 'ListedFeedback', description: 'Feedback on an answer, with its question.' },
)

export const ChatNews = Type.Object(
  { ...state, ...content },
  { title: 'ChatNews', description: 'Changes in a chat since a revision.' },
)
