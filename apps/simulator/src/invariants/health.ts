import type { Machine } from '../world/machine.ts'
import type { Observed } from '../world/observed.ts'
import type { ObservedActivity, ObservedItem } from '../world/observed-work.ts'

/** Of query runs and agent runs, as the service has them. */
export const itemLeaseMs = 30_000
/** A worker looks every sixth of a lease whether its leases have expired; then some for timers. */
const noticedWithinMs = itemLeaseMs / 6 + 3_000
/** A stop is read every two seconds; a statement has twenty to return. */
const stoppedWithinMs = 60_000

/** Nothing of its own went wrong with the machine since then: it lives, was not stalled, and its calls got through. */
export const isHealthySince = (machine: Machine, sinceMs: number): boolean => !machine.isDead() && machine.last.troubleMs < sinceMs

/**
 * Watches that whoever has lost a lease stops: a statement or an agent is interrupted soon after the last renewal has run out, by its
 * machine's own time, whether or not the store can be reached.
 */
export function makeLeaseWatch(observed: Observed, what: string) {
  const renewedMs = new WeakMap<ObservedActivity, number>()
  return (activity: ObservedActivity, item: ObservedItem | undefined): string | undefined => {
    const { machine, id, startedMs } = activity
    const { holder } = item ?? {}
    if (holder?.machine === machine) renewedMs.set(activity, holder.renewedMs)
    if (activity.interruptedMs !== undefined) return undefined
    const lastMs = renewedMs.get(activity) ?? startedMs
    const sinceMs = observed.nowMs() - lastMs
    if (sinceMs <= itemLeaseMs + noticedWithinMs) return undefined
    if (machine.last.stallMs >= lastMs || machine.stalledUntilMs() > lastMs) return undefined
    return `the ${what} of ${id} goes on at ${machine.id}, whose lease was last renewed ${sinceMs} ms ago`
  }
}

/** Whether somebody who wanted it stopped has waited for too long. */
export function isStopOverdue(observed: Observed, { stopRequestedMs, holder }: ObservedItem): boolean {
  if (stopRequestedMs === undefined || !holder) return false
  const sinceMs = Math.max(stopRequestedMs, holder.atMs, observed.storeAwayUntilMs())
  return isHealthySince(holder.machine, sinceMs) && observed.nowMs() - sinceMs > stoppedWithinMs
}

/** By when something must have ended that was requested then. */
export function endsByMs(observed: Observed, item: ObservedItem): number {
  const work = observed.work!
  const perRunMs = (work.plan.runTimeoutSeconds + work.plan.agentTimeoutSeconds) * 1000 + 60_000
  return Math.max(item.requestedMs, observed.troubleEndsMs) + 180_000 + perRunMs * (work.runs.size + work.agentRuns.size)
}
