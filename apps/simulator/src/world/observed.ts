import type { PostAnswer } from '@querypost/server/ports'
import type { AttemptRecord } from '@querypost/server/model'
import type { DeliveryRow, EndpointRow, NotificationRow } from '@querypost/server/testing'
import type { WorkChange } from '../store/memory-work.ts'
import type { Machine } from './machine.ts'
import type { ObservedWork } from './observed-work.ts'
import type { EndpointPlan } from './plan.ts'

/**
 * What the world itself has seen: committed rows, requests on the wire, answers. The judges look at this and never
 * ask the engine.
 */

/** Who caused a commit. */
export type Cause =
  | {
      by: 'worker'
      machine: Machine
      /** `claim`, `record`, `release` and `holdLeftovers` are the deliveries'; the others begin with their kind, as `runs.claim`. */
      call: string
      /** When the worker made the call. */
      calledMs: number
      records: AttemptRecord[]
    }
  | { by: 'person'; deed: string; endpointId: string }
  | { by: 'publisher'; publication: ObservedPublication }

export interface ObservedPublication {
  eventId: string
  body: string
  testOf: string | undefined
  /** Who was subscribed when the transaction looked, and in which state. */
  expected: { endpointId: string; state: 'pending' | 'held' }[]
  isRolledBack: boolean
}

/** All that one commit changed. */
export interface Commit {
  cause: Cause
  changes: { before: DeliveryRow | undefined; after: DeliveryRow | undefined }[]
  endpointsBefore: ReadonlyMap<string, EndpointRow>
  notifications: NotificationRow[]
  /** Rows of the other kinds of work. */
  work: WorkChange[]
}

export interface ObservedDelivery {
  row: DeliveryRow
  publishedMs: number
  body: Buffer
  /** The last one gave out the lease it has now. */
  claims: ObservedClaim[]
  requests: ObservedRequest[]
}

export interface ObservedClaim {
  machine: Machine
  leaseNumber: number
  /** When the worker asked, and when the store gave it. */
  calledMs: number
  atMs: number
  /** A request was seen that it is good for. */
  isUsed: boolean
}

export interface ObservedEndpoint {
  plan: EndpointPlan
  row: EndpointRow
  /** When a person last changed it. */
  changedMs: number
  /** Every secret it had, with the moment it was replaced. */
  secrets: { secret: string; untilMs: number }[]
}

export interface ObservedRequest {
  machine: Machine
  /** Undefined when nothing that exists is sent there. */
  delivery: ObservedDelivery | undefined
  endpoint: ObservedEndpoint | undefined
  /** When its attempt began: with the question for its name, if there was one. */
  attemptBeganMs: number
  atMs: number
  /** The worker's wall clock. */
  wallMs: number
  url: URL
  addresses: readonly string[]
  /** What the name answered in this very attempt. */
  nameAnswers: readonly string[] | undefined
  headers: Record<string, string>
  body: Buffer
  /** When the receiver got it, by a right clock. */
  arrivedMs: number | undefined
  /** When the receiver's answer was whole, whether or not anybody was still waiting for it. */
  wholeAnswerMs: number | undefined
  /** What the worker got. */
  answer: PostAnswer | undefined
  answeredMs: number | undefined
}

export interface Observed {
  nowMs(): number
  deliveries: Map<string, ObservedDelivery>
  endpoints: Map<string, ObservedEndpoint>
  isSwitchedOff(organizationId: string): boolean
  machines: Machine[]
  openRequests: Set<ObservedRequest>
  /** When a worker learned what a name answers, for attempts that end there. */
  nameAnsweredMs(machine: Machine, hostname: string): readonly number[]
  inFlightMax: number
  /** Missing where a world has deliveries alone. */
  work: ObservedWork | undefined
  /** From when and until when the store itself was last away. */
  storeAwayFromMs(): number
  storeAwayUntilMs(): number
  /** Since when nothing is wrong with any worker, its clock or the store; Infinity while something is. */
  calmSinceMs(): number
  isTroubleOver(): boolean
  troubleEndsMs: number
}

/** One invariant, watched. Each hook says what is wrong, in words, or nothing. */
export interface Judge {
  /** Its number in the list of invariants, or its name. */
  invariant: Invariant
  committed?(commit: Commit): string | undefined
  requested?(request: ObservedRequest): string | undefined
  arrived?(request: ObservedRequest): string | undefined
  stepped?(): string | undefined
  /** At the very end. */
  ended?(): string | undefined
}

/** Deliveries have seven with numbers; those of the other kinds have names. */
export type Invariant = number | 'runs' | 'agent runs' | 'schedules' | 'e-mails' | 'process'

export interface Violation {
  invariant: Invariant
  message: string
  atMs: number
}
