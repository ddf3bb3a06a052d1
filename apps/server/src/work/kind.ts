import type { WakeupChannel } from '../store/wakeups.ts'

/**
 * Background work, in words:
 *
 * - A *kind* of work (query runs, agent runs, deliveries, e-mails) is a definition: how its items are claimed, how one is carried out,
 *   and how what came of it is recorded. The kernel (`worker.ts`) does the rest, for all kinds in the same way.
 * - An *item* is a row of the store in the hands of one worker, under a *lease*. A lease expires by the store's time, never by a
 *   process's clock, and its number is another one with every claim.
 * - Everything written for an item is *fenced*: the store takes it only under the lease with which the item was claimed. A worker that
 *   was taken for dead and comes back changes nothing.
 * - An *outcome* is what came of an item. It is recorded with patience: while the store is away it is kept and tried again.
 * - An *interruption* asks whoever carries out an item to end it: somebody stops it, its time is up, the process stops, or its lease
 *   is lost.
 *
 * What always holds:
 * - A worker takes no input. A wake-up says "look"; what there is to do stands in the store.
 * - A worker never claims more than it can carry out at once.
 * - Nothing that a worker started can reject without being caught, and nothing that an item does keeps the others from their turn.
 */
export interface Item {
  id: string
  leaseNumber: number
}

export type Interruption =
  | { kind: 'time_limit'; seconds: number }
  | { kind: 'stopped'; userId: string; by: string }
  | { kind: 'shutdown' }
  | { kind: 'lease_lost' }

/** What carrying out an item hears from the kernel. */
export interface Control {
  /** Aborts when the item is interrupted; also when it is over, for whatever it left behind. */
  signal: AbortSignal
  interruption(): Interruption | undefined
  /** Milliseconds since its claim was asked for, by whichever of the machine's clocks says more. */
  sinceClaimMs(): number
}

/** An item that is over, and waits to be recorded. */
export interface Ended<Claimed extends Item, Outcome> {
  item: Claimed
  outcome: Outcome
  /** How long ago it ended. With the store's time of now this gives the store's time of then. */
  agoMs: number
}

export interface ClaimRequest<Claimed extends Item> {
  workerId: string
  leaseMs: number
  /** How many there is room for. */
  count: number
  /** What is being carried out at this worker. */
  atWork(): Claimed[]
}

export interface Claim<Claimed extends Item> {
  items: Claimed[]
  /**
   * When to claim again: at once (`again`), when an item at this worker has ended (`with_room`), or when somebody says that there is
   * something to do (`when_woken`).
   */
  next: 'again' | 'with_room' | 'when_woken'
}

export interface WorkKind<Claimed extends Item, Outcome> {
  /** For the log, in the singular: `query run`. */
  name: string
  /** On which the worker is told that something is due. */
  channel: WakeupChannel
  /** How long something may wait that nobody announced. */
  lookEveryMs: number
  leaseMs: number
  /** How many items a worker has in hand at most, those that wait to be recorded included. */
  inHandMax: number
  /** How many are claimed by one statement at most. */
  claimMax: number
  claim(request: ClaimRequest<Claimed>): Promise<Claim<Claimed>>
  /** What came of it; undefined when there is nothing to record, and the item is left to its lease. */
  carryOut(item: Claimed, control: Control): Promise<Outcome | undefined>
  /** An item with a time limit is interrupted when it is over. */
  timeLimitSeconds?: number
  /**
   * How long an interrupted item may take to return. One that does not is left to itself: its outcome is this one, and whatever it
   * does later counts for nothing.
   */
  abandonment: { afterMs: number; outcomeOf(item: Claimed, interruption: Interruption): Outcome | undefined }
  /** How many outcomes one call of `record` gets at most, and how many calls are under way at the same time. */
  recording: { batchMax: number; atOnce: number }
  /**
   * Records outcomes, each under its lease, and returns the ids of those that were recorded. Called again with the same outcome, as
   * after an answer that was lost, it says the same.
   */
  record(ended: Ended<Claimed, Outcome>[], by: { workerId: string }): Promise<ReadonlySet<string>>
  /** Told when an outcome is recorded, or was refused because the lease is gone. */
  onRecorded?(ended: Ended<Claimed, Outcome>, isRecorded: boolean): Promise<void> | void
  /** For work that may outlast a lease. */
  renewal?: {
    everyMs: number
    /** Renews the leases that are still this worker's, and returns the ids of those. */
    renew(held: { workerId: string; leaseMs: number; items: Item[] }): Promise<ReadonlySet<string>>
    /** Takes up what has been left behind by workers whose leases have expired. */
    recover(): Promise<void>
  }
  /** For work that people can stop. */
  stops?: {
    channel: WakeupChannel
    everyMs: number
    read(held: { workerId: string; items: Item[] }): Promise<{ id: string; userId: string; by: string }[]>
  }
  /** What else there is to do now and then. */
  duties?: { what: string; everyMs: number; act(): Promise<void> }[]
  /** When the worker stops, items are interrupted at once, and not after its grace. */
  isInterruptedAtOnce?: boolean
}
