import type { Figure, FigureSource } from '@querypost/answers'
import type { AgentRunTrigger, ModelUsage } from '../../model/agent-run.ts'
import type { ChatWriter } from './chat-writer.ts'
import type { Caller } from '../../model/caller.ts'
import type { Observation } from '../../model/observation.ts'
import type { KnowledgeProposal } from '../../model/knowledge.ts'
import type { AnswerOutcome } from '../../model/question-set.ts'

export interface AgentTask {
  runId: string
  /** Null for an answer in a chat. */
  automationId: string | null
  chatId: string
  trigger: AgentRunTrigger
  /** The automation's instructions, or the question. */
  instructions: string
  /** shortIds of the automation's references that have not been deleted; none for an answer in a chat. */
  references: string[]
  /** Results of query runs that started before this are too old. */
  requestedAt: Date
  /** The user on whose behalf the agent reads data. Query runs that it starts carry the agent run's id as their `triggerId`. */
  caller: Caller
  chat: ChatWriter
  /** Aborts when the run is stopped, times out, or loses its lease. The agent must then throw promptly; any error will do. */
  signal: AbortSignal
  /** Set while a question of an evaluation is answered. */
  evaluation?: {
    id: string
    /** Called with the query run whose result answers the question; the last call counts. */
    nameRun(runId: string): void
    /** Knowledge that is not saved and that only this evaluation knows of. */
    proposal?: KnowledgeProposal | undefined
  }
}

export interface AgentAnswer {
  /** Markdown. Figures link to their runs (`BASE_URL/runs/<runId>`). The event carries it as plain text. */
  summary: string
  /** The figures in the summary, ordered by their place. */
  figures?: Figure[]
  /** The runs of the proven figures. */
  sources?: FigureSource[]
  /** Questions to ask next. */
  followUps?: string[]
  /**
   * The message into which the summary has been streamed, if any: the worker makes it the `summary` (or `answer`) when it ends the
   * run, instead of adding one.
   */
  summaryMessageNumber?: number
  /** Observations to compare the automation's next run with, by reference id. */
  observations?: { referenceId: string; content: Observation }[]
  /** Whether it found something worth reading; absent if it cannot tell. */
  isNotable?: boolean
  usage?: ModelUsage
  /** For a question of an evaluation: whether it was answered correctly. */
  outcome?: AnswerOutcome
}

export type Agent = (task: AgentTask) => Promise<AgentAnswer>

/** The agent could not do its task. The message is for people: what happened and what to do. */
export class AgentFailure extends Error {
  override readonly name = 'AgentFailure'
  readonly usage: ModelUsage | undefined

  constructor(reason: string, options: { usage?: ModelUsage; cause?: unknown } = {}) {
    super(reason, options.cause === undefined ? undefined : { cause: options.cause })
    this.usage = options.usage
  }
}
