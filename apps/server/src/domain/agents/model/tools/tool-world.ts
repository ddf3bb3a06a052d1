import type { AgentServices } from '../../../services.ts'
import type { ChatWriter } from '../../../agent-runs/chat-writer.ts'
import type { RunNames } from '../run-names.ts'
import type { KnowledgeProposal } from '../../../../model/knowledge.ts'
import type { Caller } from '../../../../model/caller.ts'

export type ToolDeps = Pick<
  AgentServices,
  | 'db'
  | 'clock'
  | 'random'
  | 'wakeups'
  | 'cursors'
  | 'systemIdentifier'
  | 'findMember'
  | 'findQuery'
  | 'findReference'
  | 'runEnds'
  | 'engines'
  | 'results'
  | 'archive'
  | 'rowComparer'
  | 'log'
  | 'resultLifetimeMs'
  | 'dataDirectory'
  | 'baseUrl'
>

/** What built-in tools depend on. */
export interface ToolWorld extends ToolDeps {
  /** The user on whose behalf they act. */
  caller: Caller
  chat: ChatWriter
  /** Results of runs that started before this are too old. */
  notBefore: Date
  signal: AbortSignal
  /** Names for the query runs that tools start. */
  runNames: RunNames
  /** Knowledge that is not saved, in the evaluation that tries it. */
  proposal?: KnowledgeProposal | undefined
}
