import type { Field } from './result.ts'
import type { UsedKnowledge } from './knowledge.ts'
import type { RunStatus } from './run.ts'
import type { ParameterValues } from './parameter.ts'
import type { Figure, FigureSource } from '@querypost/answers'
import type { ColumnSettings, Visualization } from '@querypost/visualization'

/**
 * A *chat* is the record of what an agent did and said, with the questions that people asked. A person starts it with a question, or
 * an automation with its run. It belongs to an organization, whose members can read it at its permalink, `/chats/<shortId>`.
 *
 * Its *messages* are numbered in order. Some are text (instruction, question, answer, summary), the others are *steps* of the
 * agent. A step that takes time is stored when it starts and updated when it ends. Every change to a chat increases its *revision*;
 * a message carries the revision that changed it last.
 */
export interface Chat {
  id: string
  organizationId: string
  shortId: string
  title: string
  revision: number
  createdAt: Date
  /** When anything in it last changed. */
  updatedAt: Date
  /** When it was created or renamed, or its agent last started or ended. */
  stateChangedAt: Date
}

export interface Message {
  number: number
  /** Null for messages by people and by the service itself. */
  agentRunId: string | null
  /** The author; null for messages by agents and by the service itself. */
  user: { id: string; name: string } | null
  createdAt: Date
  revision: number
  content: MessageContent
}

export type MessageContent =
  /** The automation's instructions. */
  | { kind: 'instruction'; text: string }
  | Question
  /** Information for the reader: the run is late, it started over, a reference was deleted. */
  | { kind: 'note'; text: string }
  /** What the organization knows that was part of the agent's prompt. */
  | { kind: 'knowledge'; used: UsedKnowledge[] }
  | QueryRunStep
  | ToolCallStep
  | ChartStep
  /** The agent saved a query and a reference to it. */
  | { kind: 'reference'; shortId: string; title: string }
  | WrittenText
  | { kind: 'failure'; reason: string; isStopped?: boolean }

/**
 * A question asked in the chat. A question and the messages up to the next one are an *exchange*. Exchanges form a tree: editing a
 * question or asking it again starts a branch beside it.
 */
export interface Question {
  kind: 'question'
  text: string
  /** The number of the question or instruction of the exchange that it follows; null if it starts the chat. Absent: the one before it. */
  follows?: number | null
  /** The analytical database that the person chose for the answer. */
  databaseId?: string
}

/**
 * Markdown written by an agent: `text` between its steps or while an answer is being written, `summary` at the end of an automation's run,
 * `answer` at the end of an answer to a question.
 */
export interface WrittenText {
  kind: 'text' | 'summary' | 'answer'
  text: string
  /** Ordered by `start`. Absent in messages from before figures were computed. */
  figures?: Figure[]
  /** The runs of the proven figures. */
  sources?: FigureSource[]
  /** Questions to ask next. */
  followUps?: string[]
}

/** What a person thinks of an answer. */
export interface Feedback {
  isHelpful: boolean
  remark: string | null
}

/** A query that the agent ran. */
export interface QueryRunStep {
  kind: 'query_run'
  /** Null until it is started, or if it could not be started. */
  runId: string | null
  /** The reference it belongs to, if any. */
  reference: { shortId: string; title: string } | null
  sql: string | null
  parameterValues: ParameterValues
  status: RunStatus
  rowCount: number | null
  /** The first rows, so that the chat can be read after the result has expired. */
  preview: Preview | null
  /** How the reference showed its columns then. */
  columns?: ColumnSettings[]
  failureReason: string | null
}

export interface Preview {
  fields: Field[]
  rows: unknown[][]
}

/** Any other tool that a model called. Long texts are truncated. */
export interface ToolCallStep {
  kind: 'tool_call'
  tool: string
  /** The data connector that provides the tool; null for built-in tools. */
  connector: string | null
  input: string
  status: 'running' | 'completed' | 'failed'
  output: string | null
}

export interface ChartStep {
  kind: 'chart'
  title: string
  /** The query run whose rows it draws. */
  runId: string
  visualization: Visualization
  preview: Preview | null
}

/** How many rows of a result a chat keeps. */
export const previewRows = 10
