import type { Machine } from '../world/machine.ts'
import type { Observed } from '../world/observed.ts'
import type { Holder, ObservedActivity, ObservedItem } from '../world/observed-work.ts'

/** The lease of query runs and agent runs, as in the service. */
export const itemLeaseMs = 30_000
/** A worker checks for expired leases every sixth of a lease; plus some time for timers. */
const noticedWithinMs = itemLeaseMs / 6 + 3_000
/** Half of the grace that the kernel gives lease holders. */
const timeToRenewMs = 10_000
/** An interrupted statement has twenty seconds to return, and so does writing its result. */
const returnsWithinMs = 25_000
/** A stop is read every two seconds; a statement has twenty to return. */
const stoppedWithinMs = 60_000

/** True if the machine had no fault since then: it is alive, was not stalled, and its calls succeeded. */
export const isHealthySince = (machine: Machine, sinceMs: number): boolean => !machine.isDead() && machine.last.troubleMs < sinceMs

/** True if the holder's machine had no fault since its lease was granted or renewed. */
export const isHolderHealthy = (holder: Holder | undefined): boolean =>
  holder !== undefined && holder.interruptedMs === undefined && isHealthySince(holder.machine, holder.renewedMs)

/**
 * True if the lease expired during an outage of the store that has only just ended, so that the holder had no time to renew it. The
 * worker that declares it abandoned has seen the outage, unless it was stalled itself.
 */
export function isAbandonedTooSoon(observed: Observed, holder: Holder | undefined, blame: { by: Machine; leaseExpiredMs: number }): boolean {
  if (!holder || holder.machine.isDead() || holder.machine.isPartitioned()) return false
  const fromMs = observed.storeAwayFromMs()
  const isJustBack = observed.nowMs() - observed.storeAwayUntilMs() < timeToRenewMs
  const isStalled = holder.machine.stalledUntilMs() >= fromMs || blame.by.stalledUntilMs() >= fromMs
  return isJustBack && blame.leaseExpiredMs >= fromMs && !isStalled
}

/** True if a worker gave up its work although neither its machine nor the store had a fault for the length of a lease. */
export function isGivenUpWithoutReason(observed: Observed, { machine, renewedMs, interruptedMs, atMs }: Holder): boolean {
  const sinceMs = Math.max(atMs, Math.min(renewedMs, (interruptedMs ?? observed.nowMs() - returnsWithinMs) - itemLeaseMs - noticedWithinMs))
  return isHealthySince(machine, sinceMs) && observed.storeAwayUntilMs() < sinceMs
}

/**
 * Checks that a worker stops after losing a lease: a statement or an agent is interrupted soon after its last renewal has expired by the
 * machine's own clock, whether or not the store can be reached.
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
    return `the ${what} of ${id} continues at ${machine.id}, whose lease was last renewed ${sinceMs} ms ago`
  }
}

/** True if a requested stop takes too long. */
export function isStopOverdue(observed: Observed, { stopRequestedMs, holder }: ObservedItem): boolean {
  if (stopRequestedMs === undefined || !holder) return false
  const sinceMs = Math.max(stopRequestedMs, holder.atMs, observed.storeAwayUntilMs())
  return isHealthySince(holder.machine, sinceMs) && observed.nowMs() - sinceMs > stoppedWithinMs
}

/** The time by which requested work must have ended. */
export function endsByMs(observed: Observed, item: ObservedItem): number {
  const work = observed.work!
  const perRunMs = (work.plan.runTimeoutSeconds + work.plan.agentTimeoutSeconds) * 1000 + 60_000
  return Math.max(item.requestedMs, observed.troubleEndsMs) + 180_000 + perRunMs * (work.runs.size + work.agentRuns.size)
}
