import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { findEvent } from '../../store/agent-runs/find-event.ts'
import { findAgentRun, listAgentRunsOf } from '../../store/agent-runs/read-agent-runs.ts'
import { requestAgentRunStop } from '../../store/agent-runs/agent-run-leases.ts'
import type { Db } from '../../store/db.ts'
import type { FindMember } from '../../store/people/find-member.ts'
import { isId } from '../ids.ts'
import type { Caller } from '../../model/caller.ts'
import { whoAmI } from '../people/organizations.ts'
import { Refusal } from '../refusal.ts'
import type { AgentRun, AgentRunEvent, AgentRunInFull } from '../../model/agent-run.ts'
import { endAgentRun } from './end-agent-run.ts'
import { stoppedBeforeReason } from './agent-run-outcome.ts'

export interface AgentRunsDeps {
  db: Db
  clock: Clock
  random: Random
  findMember: FindMember
  baseUrl: string
}

/** Finds runs of automations only, not answers in chats. */
export async function getAutomationRun(deps: { db: Db }, caller: Caller, runId: string): Promise<AgentRunInFull> {
  const run = await getRunOfAutomation(deps, caller, runId)
  const { organizationId } = caller
  const event = run.eventId === null ? undefined : await findEvent(deps.db, { organizationId, eventId: run.eventId })
  return { ...run, event: event ? redactFor(caller, event) : null }
}

/** Newest first; `before` is the id of the last run seen. Does not check that the automation exists. */
export async function listAutomationRuns(
  deps: { db: Db },
  caller: Caller,
  request: { automationId: string; count: number; before?: string },
): Promise<AgentRun[]> {
  return listAgentRunsOf(deps.db, { ...request, organizationId: caller.organizationId })
}

/**
 * Stops a run. A pending one fails at once; a running one is interrupted by the worker that holds it, so the run returned
 * here may still be running.
 */
export async function stopAgentRun(deps: AgentRunsDeps, caller: Caller, runId: string): Promise<AgentRunInFull> {
  await stopActiveRun(deps, caller, await getRunOfAutomation(deps, caller, runId))
  return getAutomationRun(deps, caller, runId)
}

/** Stops a run of an automation or an answer in a chat. */
export async function stopActiveRun(deps: AgentRunsDeps, caller: Caller, run: AgentRun): Promise<void> {
  if (run.endedAt) throw alreadyEnded(run)
  const { user } = await whoAmI(deps, caller)
  const stopPending = () =>
    endAgentRun(deps, {
      runId: run.id,
      while: { status: 'pending' },
      ending: { status: 'failed', reason: stoppedBeforeReason(user.name), stoppedBy: user.id },
    })
  if (await stopPending()) return
  const isRequested = await requestAgentRunStop(deps.db, { runId: run.id, userId: user.id })
  // Its worker may have handed it back between the two calls.
  if (!isRequested) await stopPending()
}

export async function getRunOfAutomation(deps: { db: Db }, caller: Caller, runId: string): Promise<AgentRun> {
  const { organizationId } = caller
  const run = isId(runId) ? await findAgentRun(deps.db, { organizationId, agentRunId: runId }) : undefined
  if (!run || run.automationId === null) {
    throw new Refusal('automation_run_not_found', `There is no automation run ${JSON.stringify(runId)}.`)
  }
  return run
}

/** Only admins manage endpoints, and the path of a webhook URL is often a secret. Other members see only the origin. */
function redactFor(caller: Caller, event: AgentRunEvent): AgentRunEvent {
  if (caller.role === 'admin') return event
  return { ...event, deliveries: event.deliveries.map((delivery) => ({ ...delivery, url: new URL(delivery.url).origin })) }
}

const alreadyEnded = (run: AgentRun) =>
  new Refusal('run_already_ended', `The run has already ${run.status}. There is nothing to stop.`)
