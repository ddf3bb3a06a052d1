import type { Machine } from '../world/machine.ts'
import type { Observed } from '../world/observed.ts'
import type { Holder, ObservedActivity, ObservedItem } from '../world/observed-work.ts'

/** Of query runs and agent runs, as the service has them. */
export const itemLeaseMs = 30_000
/** A worker looks every sixth of a lease whether its leases have expired; then some for timers. */
const noticedWithinMs = itemLeaseMs / 6 + 3_000
/** Half of what the kernel gives those who hold leases. */
const timeToRenewMs = 10_000
/** An interrupted statement has twenty seconds to return, and so has the writing of its result. */
const returnsWithinMs = 25_000
/** A stop is read every two seconds; a statement has twenty to return. */
const stoppedWithinMs = 60_000

/** Nothing of its own went wrong with the machine since then: it lives, was not stalled, and its calls got through. */
export const isHealthySince = (machine: Machine, sinceMs: number): boolean => !machine.isDead() && machine.last.troubleMs < sinceMs

/** The holder is well and at it: nothing went wrong with its machine since its lease was last given or renewed. */
export const isWellAtWork = (holder: Holder | undefined): boolean =>
  holder !== undefined && holder.interruptedMs === undefined && isHealthySince(holder.machine, holder.renewedMs)

/**
 * The lease ran out while the store was away, which is back only just: whoever holds it has had no time to say that it lives. Whoever
 * blames it has seen the outage, unless it was stalled itself.
 */
export function isBlamedTooSoon(observed: Observed, holder: Holder | undefined, blame: { by: Machine; leaseExpiredMs: number }): boolean {
  if (!holder || holder.machine.isDead() || holder.machine.isPartitioned()) return false
  const fromMs = observed.storeAwayFromMs()
  const isJustBack = observed.nowMs() - observed.storeAwayUntilMs() < timeToRenewMs
  const isStalled = holder.machine.stalledUntilMs() >= fromMs || blame.by.stalledUntilMs() >= fromMs
  return isJustBack && blame.leaseExpiredMs >= fromMs && !isStalled
}

/** Nothing was wrong when its worker gave it up: neither with the machine nor with the store, for as long as a lease takes to run out. */
export function isGivenUpForNothing(observed: Observed, { machine, renewedMs, interruptedMs, atMs }: Holder): boolean {
  const sinceMs = Math.max(atMs, Math.min(renewedMs, (interruptedMs ?? observed.nowMs() - returnsWithinMs) - itemLeaseMs - noticedWithinMs))
  return isHealthySince(machine, sinceMs) && observed.storeAwayUntilMs() < sinceMs
}

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
