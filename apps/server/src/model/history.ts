import type { ParameterType, ParameterValues } from './parameter.ts'

/**
 * Results over time: terms.
 *
 * - A *kept result* is the result of one run, kept for a reference whose query the run executed. It outlives the cached result.
 * - An *object* holds the bytes of one document. Equal results of an organization share one object.
 * - An object is *whole*, or a *difference* from another one, its *base*. A whole object and the differences that build on it are a
 *   *chain*.
 */
export interface KeptResult {
  runId: string
  /** When the run completed. */
  at: Date
  rowCount: number
  /** The hash of the result, as in the ETag of the result route. */
  resultHash: string
  /** The size of the result as it is sent, compressed. */
  sizeBytes: number
  isPinned: boolean
}

export interface KeptResultInFull extends KeptResult {
  queryId: string
  parameterValues: ParameterValues
  parameterTypes: Record<string, ParameterType>
  objectId: string
}

/** How long results are kept: each limit applies. */
export interface HistoryLimits {
  days: number
  /** Results of one reference. */
  count: number
  /** Stored bytes of the organization. */
  bytes: number
}

export const historyLimitsDefault: HistoryLimits = { days: 90, count: 400, bytes: 2 * 1024 ** 3 }

/** What an owner has set for a reference. Null: as in the organization. */
export interface ReferenceHistoryLimits {
  days: number | null
  count: number | null
}

/** So that pinning cannot take the place of retention. */
export const pinnedMax = 50

/** What the results of a reference take. */
export interface HistoryUse {
  referenceShortId: string
  title: string
  resultCount: number
  pinnedCount: number
  /** Stored bytes, without what results of other references use as well. */
  storedBytes: number
}

/** The result of a run that is to be kept. */
export interface ClaimedArchiveJob {
  /** The run's id. */
  id: string
  leaseNumber: number
  attemptNumber: number
  organizationId: string
}

export type ArchiveDecision =
  /** The bytes are in the object; it becomes usable with this record. */
  | { state: 'archived'; objectId: string; storedBytes: number | null }
  | { state: 'skipped'; reason: string }
  | { state: 'due'; waitMs: number; reason: string }
  /** The attempt does not count. */
  | { state: 'given_back' }
  | { state: 'failed'; reason: string }

/** Where bytes are stored. New ones go where results go; earlier ones stay where they are. */
export type ArchivePlaceName = 'files' | 'postgres' | 's3'

export interface StoredObject {
  id: string
  place: ArchivePlaceName
  storedBytes: number
}

/** A whole document or a difference, in the order of its chain. */
export interface ChainLink extends StoredObject {
  /** The size and the SHA-256 hash of the document that it describes. */
  documentBytes: number
  contentHash: string
}
