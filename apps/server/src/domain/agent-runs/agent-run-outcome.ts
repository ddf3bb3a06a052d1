import { AgentFailure } from './agent.ts'
import { LeaseLost } from './lease-lost.ts'
import { Refusal } from '../refusal.ts'
import type { Ending } from './end-agent-run.ts'
import type { Interruption } from '../../work/kind.ts'

/**
 * What becomes of a run whose agent gave no answer: it ends, it begins anew, or it is another worker's affair by now. A fault
 * of ours `isOurs`: its details belong into the log.
 */
export type Judgement = { kind: 'ends'; ending: Ending; isOurs: boolean } | { kind: 'begins_anew' } | { kind: 'lost' }

export function judge(error: unknown, options: { interruption: Interruption | undefined; runId: string }): Judgement {
  const { interruption } = options
  const usage = error instanceof AgentFailure && error.usage ? { usage: error.usage } : {}
  const fails = (reason: string, more: { stoppedBy?: string } = {}): Judgement => ({
    kind: 'ends',
    ending: { status: 'failed', reason, ...usage, ...more },
    isOurs: false,
  })
  switch (interruption?.kind) {
    case 'time_limit':
      return fails(timeLimitReason(interruption.seconds))
    case 'stopped':
      return fails(stoppedReason(interruption.by), { stoppedBy: interruption.userId })
    case 'shutdown':
      return { kind: 'begins_anew' }
    case 'lease_lost':
      return { kind: 'lost' }
    case undefined:
      if (error instanceof LeaseLost) return { kind: 'lost' }
      if (error instanceof AgentFailure || error instanceof Refusal) return fails(error.message)
      return { kind: 'ends', ending: { status: 'failed', reason: internalReason(options.runId) }, isOurs: true }
  }
}

const timeLimitReason = (seconds: number) =>
  `Stopped at the time limit of ${seconds} seconds. Give it less to do, or ask the operator to raise AGENT_TIMEOUT_SECONDS.`

export const stoppedReason = (by: string) => `Stopped by ${by}.`
export const stoppedBeforeReason = (by: string) => `Stopped by ${by} before it started.`

/** For faults of ours: the reason says where to look, the log says what. */
const internalReason = (runId: string) =>
  `The service failed while carrying it out. The operator finds the details in the log under ${runId}.`

export const noMemberReason =
  'The person in whose name it looks at data is no longer a member of the organization. Create the automation anew in your own name.'

/** So often a run is begun whose process died: one that kills every process must not go on for ever. */
export const agentRunAttemptsMax = 3

export const exhaustedReason =
  `The process that carried it out died ${agentRunAttemptsMax} times, so it is not begun again. The operator finds more in the log.`
export const diedNote = 'The process that carried it out died; it begins anew.'
export const shutdownNote = 'The service was stopped while it was at work; it begins anew.'
