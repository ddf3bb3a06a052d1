import type { WakeupChannel } from '../store/wakeups.ts'

/**
 * Background work: terms and invariants.
 *
 * - A *kind* of work (query runs, agent runs, deliveries, e-mails) defines how its items are claimed, how one is carried out, and how
 *   its outcome is recorded. The kernel (`worker.ts`) does the rest in the same way for all kinds.
 * - An *item* is a row of the store that one worker holds under a *lease*. A lease expires by the store's time, never by a process's
 *   clock. Each claim gives the lease a new number.
 * - Every write for an item is *fenced*: the store accepts it only under the lease with which the item was claimed. A worker that was
 *   presumed dead and comes back changes nothing.
 * - An *outcome* is the result of carrying out an item. While the store is unavailable, it is kept in memory and recording is retried.
 * - An *interruption* asks a running item to end: a person stops it, it exceeds its time limit, the process shuts down, or its lease
 *   is lost.
 *
 * Invariants:
 * - A worker takes no input. A wake-up only says "look"; the work itself is in the store.
 * - A worker never claims more than it can carry out at once.
 * - No promise that a worker starts rejects unhandled, and no item can block the others.
 */
export interface Item {
  id: string
  leaseNumber: number
  /**
   * Settles when the claim is committed, or is lost. Until then, the item may already be carried out, but must leave no trace outside of
   * this process. Left out if the claim was committed before the item was returned.
   */
  committed?: Promise<void> | undefined
  /** The trace that the work belongs to, if it was requested in one. */
  traceparent?: string | null
}

export type Interruption =
  | { kind: 'time_limit'; seconds: number }
  | { kind: 'stopped'; userId: string; by: string }
  | { kind: 'shutdown' }
  | { kind: 'lease_lost' }

/** How the kernel talks to a running item. */
export interface Control {
  /** Aborts when the item is interrupted, and when it has ended, to stop anything it left running. */
  signal: AbortSignal
  interruption(): Interruption | undefined
  /** Milliseconds since its claim was requested, by whichever of the machine's clocks shows more. */
  sinceClaimMs(): number
}

/** An item that has ended and waits to be recorded. */
export interface Ended<Claimed extends Item, Outcome> {
  item: Claimed
  outcome: Outcome
  /** How long ago it ended. Subtracted from the store's current time, this gives the end in the store's time. */
  agoMs: number
}

export interface ClaimRequest<Claimed extends Item> {
  workerId: string
  leaseMs: number
  /** How many items the worker has room for. */
  count: number
  /** The items that this worker is carrying out. */
  atWork(): Claimed[]
}

export interface Claim<Claimed extends Item> {
  items: Claimed[]
  /**
   * When to claim again: immediately (`again`), when an item of this worker has ended (`with_room`), or at the next wake-up
   * (`when_woken`).
   */
  next: 'again' | 'with_room' | 'when_woken'
  /** Claims again after this time in any case. */
  againInMs?: number | undefined
}

export interface WorkKind<Claimed extends Item, Outcome> {
  /** For the log, in the singular: `query run`. */
  name: string
  /** The channel of wake-ups for due work. */
  channel: WakeupChannel
  /** How often to look for work whose wake-up was lost. */
  lookEveryMs: number
  leaseMs: number
  /** How many items a worker holds at most, including those that wait to be recorded. */
  inHandMax: number
  /** How many items one statement claims at most. */
  claimMax: number
  claim(request: ClaimRequest<Claimed>): Promise<Claim<Claimed>>
  /** Returns the outcome, or undefined to record nothing and let the lease expire. */
  carryOut(item: Claimed, control: Control): Promise<Outcome | undefined>
  /** Items are interrupted after this time. */
  timeLimitSeconds?: number
  /**
   * How long an interrupted item may take to return. After that it is abandoned: this outcome is recorded, and whatever the item does
   * later is ignored.
   */
  abandonment: { afterMs: number; outcomeOf(item: Claimed, interruption: Interruption): Outcome | undefined }
  /** How many outcomes one call of `record` gets at most, and how many calls run in parallel. */
  recording: { batchMax: number; atOnce: number }
  /**
   * Records outcomes, each under its lease, and returns the ids of those that were recorded. Idempotent: called again with the same
   * outcome, for example after a lost response, it returns the same ids.
   */
  record(ended: Ended<Claimed, Outcome>[], by: { workerId: string }): Promise<ReadonlySet<string>>
  /** Called when an outcome was recorded, or rejected because the lease was lost. */
  onRecorded?(ended: Ended<Claimed, Outcome>, isRecorded: boolean): Promise<void> | void
  /** For work that may outlast a lease. */
  renewal?: {
    everyMs: number
    /** Renews the leases that this worker still holds, and returns their ids. */
    renew(held: { workerId: string; leaseMs: number; items: Item[] }): Promise<ReadonlySet<string>>
    /** Recovers the items of workers whose leases have expired. */
    recover(): Promise<void>
  }
  /** For work that people can stop. */
  stops?: {
    channel: WakeupChannel
    everyMs: number
    read(held: { workerId: string; items: Item[] }): Promise<{ id: string; userId: string; by: string }[]>
  }
  /** Other tasks of this kind, done periodically and when woken. They return `claim` if there may be work to claim now. */
  duties?: { what: string; everyMs: number; channel?: WakeupChannel; act(): Promise<'claim' | void> }[]
  /** When the worker stops, items are interrupted at once instead of after the grace period. */
  isInterruptedAtOnce?: boolean
}
