import type { AgentServices } from '../../../services.ts'
import type { ChatWriter } from '../../../agent-runs/chat-writer.ts'
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
  | 'resultLifetimeMs'
  | 'dataDirectory'
  | 'baseUrl'
>

/** What our own tools work with. */
export interface ToolWorld extends ToolDeps {
  /** With whose eyes they look. */
  caller: Caller
  chat: ChatWriter
  /** Results that began to be made before this are too old. */
  notBefore: Date
  signal: AbortSignal
}
