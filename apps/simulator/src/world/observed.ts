import type { PostAnswer } from '@querypost/server/ports'
import type { AttemptRecord } from '@querypost/server/model'
import type { DeliveryRow, EndpointRow, NotificationRow } from '@querypost/server/testing'
import type { WorkChange } from '../store/memory-work.ts'
import type { Machine } from './machine.ts'
import type { ObservedWork } from './observed-work.ts'
import type { EndpointPlan } from './plan.ts'

/** What the world has observed: committed rows, requests on the wire, responses. The judges use only this and never ask the engine. */

/** The cause of a commit. */
export type Cause =
  | {
      by: 'worker'
      machine: Machine
      /** `claim`, `record`, `release` and `holdLeftovers` are for deliveries. The others begin with their kind: `runs.claim`. */
      call: string
      /** When the worker made the call. */
      calledMs: number
      records: AttemptRecord[]
    }
  | { by: 'person'; deed: string; endpointId: string }
  | { by: 'publisher'; publication: ObservedPublication }
  /** A step of a move from one store to another. */
  | { by: 'mover'; step: string; organizationId: string }

export interface ObservedPublication {
  eventId: string
  body: string
  testOf: string | undefined
  /** The subscribed endpoints and their states when the transaction read them. */
  expected: { endpointId: string; state: 'pending' | 'held' }[]
  isRolledBack: boolean
}

/** The changes of one commit. */
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
  /** The last one granted the current lease. */
  claims: ObservedClaim[]
  requests: ObservedRequest[]
}

export interface ObservedClaim {
  machine: Machine
  leaseNumber: number
  /** When the worker asked, and when the store granted it. */
  calledMs: number
  atMs: number
  /** Whether its request was observed. */
  isUsed: boolean
}

export interface ObservedEndpoint {
  plan: EndpointPlan
  row: EndpointRow
  /** When a person last changed it. */
  changedMs: number
  /** All its secrets, with the time each was replaced. */
  secrets: { secret: string; untilMs: number }[]
}

export interface ObservedRequest {
  machine: Machine
  /** Undefined if no existing delivery matches. */
  delivery: ObservedDelivery | undefined
  endpoint: ObservedEndpoint | undefined
  /** The start of its attempt: the DNS lookup, if there was one. */
  attemptBeganMs: number
  atMs: number
  /** The worker's wall clock. */
  wallMs: number
  url: URL
  addresses: readonly string[]
  /** The result of the DNS lookup in this attempt. */
  nameAnswers: readonly string[] | undefined
  headers: Record<string, string>
  body: Buffer
  /** When the receiver got it, by a correct clock. */
  arrivedMs: number | undefined
  /** When the response was complete, even if the worker had stopped waiting. */
  wholeAnswerMs: number | undefined
  /** The outcome at the worker. */
  answer: PostAnswer | undefined
  answeredMs: number | undefined
}

export interface Observed {
  nowMs(): number
  deliveries: Map<string, ObservedDelivery>
  endpoints: Map<string, ObservedEndpoint>
  isSwitchedOff(organizationId: string): boolean
  machines: Machine[]
  /** The machines that work for the same store, itself included. */
  peersOf(machine: Machine): readonly Machine[]
  /** Whether others may take the machine for gone when they call at that time. */
  mayBeGone(machine: Machine, calledMs: number): boolean
  openRequests: Set<ObservedRequest>
  /** When a worker got a DNS answer, for attempts that end there. */
  nameAnsweredMs(machine: Machine, hostname: string): readonly number[]
  inFlightMax: number
  /** Missing in a world with deliveries only. */
  work: ObservedWork | undefined
  /** The last outage of the store; if there are several, of the machine's. */
  storeAwayFromMs(): number
  storeAwayUntilMs(machine?: Machine): number
  /**
   * The end of the last fault of any worker, clock or the store; Infinity during a fault. If there are several stores, of the
   * organization's only.
   */
  calmSinceMs(organizationId?: string): number
  /** How far the clock of the organization's store is ahead of the world's. */
  storeAheadMs(organizationId: string): number
  isTroubleOver(): boolean
  troubleEndsMs: number
}

/** Checks one invariant. Each hook returns a description of the violation, or nothing. */
export interface Judge {
  /** The number or name of the invariant. */
  invariant: Invariant
  committed?(commit: Commit): string | undefined
  requested?(request: ObservedRequest): string | undefined
  arrived?(request: ObservedRequest): string | undefined
  stepped?(): string | undefined
  /** Called at the end of the run. */
  ended?(): string | undefined
}

/** The eight invariants of deliveries have numbers, the others names. */
export type Invariant = number | 'runs' | 'run inputs' | 'agent runs' | 'schedules' | 'e-mails' | 'reports' | 'Slack questions' | 'kept results' | 'history fills' | 'change feeds' | 'alerts' | 'stores' | 'process'

export interface Violation {
  invariant: Invariant
  message: string
  atMs: number
}
