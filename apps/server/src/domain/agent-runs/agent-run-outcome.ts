import type { Figure } from '@querypost/answers'
import { type AgentAnswer, AgentFailure } from './agent.ts'
import { LeaseLost } from './lease-lost.ts'
import { Refusal } from '../refusal.ts'
import type { Ending } from './end-agent-run.ts'
import type { Interruption } from '../../work/kind.ts'

/**
 * Decides what happens to a run whose agent gave no answer: it ends, it starts over, or another worker has taken it over. `isOurs` marks an
 * internal error, whose details belong in the log.
 */
export type AgentRunDecision = { kind: 'ends'; ending: Ending; isInternalError: boolean } | { kind: 'restarts' } | { kind: 'lost' }

export function decideOutcome(error: unknown, options: { interruption: Interruption | undefined; runId: string }): AgentRunDecision {
  const { interruption } = options
  const usage = error instanceof AgentFailure && error.usage ? { usage: error.usage } : {}
  const fails = (reason: string, more: { stoppedBy?: string } = {}): AgentRunDecision => ({
    kind: 'ends',
    ending: { status: 'failed', reason, ...usage, ...more },
    isInternalError: false,
  })
  switch (interruption?.kind) {
    case 'time_limit':
      return fails(timeLimitReason(interruption.seconds))
    case 'stopped':
      return fails(stoppedReason(interruption.by), { stoppedBy: interruption.userId })
    case 'shutdown':
      return { kind: 'restarts' }
    case 'lease_lost':
      return { kind: 'lost' }
    case undefined:
      if (error instanceof LeaseLost) return { kind: 'lost' }
      if (error instanceof AgentFailure || error instanceof Refusal) return fails(error.message)
      return { kind: 'ends', ending: { status: 'failed', reason: internalReason(options.runId) }, isInternalError: true }
  }
}

/** How a run ends with its agent's answer. A strict one fails if a figure in it is not proven. */
export function decideAnswer(answer: AgentAnswer, { isStrict }: { isStrict: boolean }): Ending {
  const { figures = [], usage } = answer
  const unproven = figures.filter(({ isProven }) => !isProven)
  if (!isStrict || unproven.length === 0) return { status: 'completed', answer }
  return { status: 'failed', reason: unprovenReason(unproven), ...(usage && { usage }) }
}

const figuresNamed = 3

function unprovenReason(unproven: Figure[]): string {
  const named = unproven.slice(0, figuresNamed).map(({ text, reason }) => `“${text}”${reason === null ? '' : ` (${reason})`}`)
  const more = unproven.length > figuresNamed ? ` and ${unproven.length - figuresNamed} more` : ''
  return `The automation is strict, and some of its summary could not be verified: ${named.join(', ')}${more}. The chat has the whole text.`
}

const timeLimitReason = (seconds: number) =>
  `Stopped after the time limit of ${seconds} seconds. Reduce the work, or ask your administrator to raise AGENT_TIMEOUT_SECONDS.`

export const stoppedReason = (by: string) => `Stopped by ${by}.`
export const stoppedBeforeReason = (by: string) => `Stopped by ${by} before it started.`

/** For internal errors: the reason says where to look; the log has the details. */
const internalReason = (runId: string) =>
  `The run failed because of an internal error. The details are in the server log under ${runId}.`

export const noMemberReason =
  'The person this automation runs as is no longer a member of the organization. Create it again under your own name.'

/** How many times a run is started when its process keeps dying, so that a run that kills every process does not go on forever. */
export const agentRunAttemptsMax = 3

export const exhaustedReason =
  `The process running it crashed ${agentRunAttemptsMax} times, so it will not be retried. See the server log for details.`
export const diedNote = 'The process running it crashed. Starting over.'
export const shutdownNote = 'The service shut down during the run. Starting over.'
