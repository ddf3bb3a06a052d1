import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { insertAutomationRuns, type NewAutomationRun } from '../../store/agent-runs/insert-automation-runs.ts'
import { lockIdleAutomations } from '../../store/agent-runs/lock-idle-automations.ts'
import type { Tx } from '../../store/db.ts'
import type { Automation } from '../../model/automation.ts'
import { newId, newShortId } from '../ids.ts'
import { type AgentRunTrigger, lateAfterMs } from '../../model/agent-run.ts'

export interface RunRequest {
  trigger: Exclude<AgentRunTrigger, 'question' | 'evaluation'>
  triggerId: string
  /** For a schedule: the first due time, and how many more have been missed since. */
  due?: { at: Date; missedCount: number }
  /** Shown in the chat below the instructions; for a condition, what it found. */
  note?: string
}

type RunnableAutomation = Pick<Automation, 'id' | 'organizationId' | 'name' | 'instructions' | 'agent' | 'createdBy'>

interface RequestDeps {
  tx: Tx
  clock: Clock
  random: Random
}

/**
 * Creates a pending run of the automation with its own chat, as part of a larger transaction. Returns undefined and writes nothing when the
 * automation already has a pending or running run, or has been deleted.
 */
export async function requestAutomationRun(
  deps: RequestDeps,
  automation: RunnableAutomation,
  request: RunRequest,
): Promise<{ runId: string; chatShortId: string } | undefined> {
  return (await requestAutomationRuns(deps, [{ automation, request }])).get(automation.id)
}

/** The same for several automations at once; keyed by automation id. */
export async function requestAutomationRuns(
  deps: RequestDeps,
  wanted: { automation: RunnableAutomation; request: RunRequest }[],
): Promise<Map<string, { runId: string; chatShortId: string }>> {
  const { tx, random } = deps
  const idle = await lockIdleAutomations(tx, wanted.map(({ automation }) => automation.id))
  const now = deps.clock.now()
  const runs = wanted
    .filter(({ automation }) => idle.has(automation.id))
    .map(({ automation, request }): NewAutomationRun => {
      const { organizationId, instructions } = automation
      const notes = [request.note, request.due && latenessNote(request.due, now)].filter((text) => text !== undefined)
      return {
        id: newId(random, 'arun'),
        organizationId,
        automationId: automation.id,
        chatId: newId(random, 'chat'),
        chat: { shortId: newShortId(random), title: automation.name },
        agent: automation.agent,
        trigger: request.trigger,
        triggerId: request.triggerId,
        userId: automation.createdBy,
        instructions,
        dueAt: request.due?.at ?? null,
        missedCount: request.due?.missedCount ?? 0,
        messages: [{ kind: 'instruction', text: instructions }, ...notes.map((text) => ({ kind: 'note' as const, text }))],
      }
    })
  if (runs.length > 0) await insertAutomationRuns(tx, { runs, now })
  return new Map(runs.map((run) => [run.automationId!, { runId: run.id, chatShortId: run.chat.shortId }]))
}

/** A note saying that the run is late; undefined when it is on time. */
export function latenessNote(due: { at: Date; missedCount: number }, now: Date): string | undefined {
  if (due.missedCount === 0 && now.getTime() - due.at.getTime() < lateAfterMs) return undefined
  const more = due.missedCount === 1 ? 'one more scheduled time' : `${due.missedCount} more scheduled times`
  const alsoFor = due.missedCount === 0 ? '' : ` It also covers ${more} missed since then.`
  return `This run started late: it was due at ${due.at.toISOString()}.${alsoFor}`
}
