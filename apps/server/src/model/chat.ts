import type { Field } from './result.ts'
import type { RunStatus } from './run.ts'
import type { ParameterValues } from './parameter.ts'
import type { Visualization } from '@querypost/visualization'

/**
 * A *chat* is the record of what an agent did and said, with the questions that people asked in between. It belongs to an
 * organization, and whoever belongs to that may read it at its permalink, `/chats/<shortId>`.
 *
 * Its *messages* are numbered in the order in which they happened. Some are said (instruction, question, answer, summary), the
 * others are *steps* of the agent. A step that takes time is stored when it begins and changed when it is over.
 * Every change of a chat raises its *revision*; a message carries the revision that changed it last.
 */
export interface Chat {
  id: string
  organizationId: string
  shortId: string
  title: string
  revision: number
  createdAt: Date
  updatedAt: Date
}

export interface Message {
  number: number
  /** Null for what a person wrote. */
  agentRunId: string | null
  /** Who wrote it; null for what an agent wrote. */
  user: { id: string; name: string } | null
  createdAt: Date
  revision: number
  content: MessageContent
}

export type MessageContent =
  /** What the automation asks its agent to do. */
  | { kind: 'instruction'; text: string }
  /** What a person asks in the chat. */
  | { kind: 'question'; text: string }
  /** Something the reader should know: that the run is late, that it began anew, that a reference is gone. */
  | { kind: 'note'; text: string }
  | QueryRunStep
  | ToolCallStep
  | ChartStep
  /** The agent saved a query and a reference to it. */
  | { kind: 'reference'; shortId: string; title: string }
  /** What a model says between its steps. Markdown. */
  | { kind: 'text'; text: string }
  /** The end of an automation's run. Markdown. */
  | { kind: 'summary'; text: string }
  /** The end of an answer to a question. Markdown. */
  | { kind: 'answer'; text: string }
  | { kind: 'failure'; reason: string; isStopped?: boolean }

/** A query that the agent ran. */
export interface QueryRunStep {
  kind: 'query_run'
  /** Null while, or when, it could not even be started. */
  runId: string | null
  /** Where it was one of a reference. */
  reference: { shortId: string; title: string } | null
  sql: string | null
  parameterValues: ParameterValues
  status: RunStatus
  rowCount: number | null
  /** The first rows, so that the chat can be read when the result has expired. */
  preview: Preview | null
  failureReason: string | null
}

export interface Preview {
  fields: Field[]
  rows: unknown[][]
}

/** Any other tool that a model called. Both texts are cut where they are long. */
export interface ToolCallStep {
  kind: 'tool_call'
  tool: string
  /** The data connector whose tool it is; null for our own. */
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
