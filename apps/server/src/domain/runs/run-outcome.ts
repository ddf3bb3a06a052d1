import { EngineError } from '../../engines/engine.ts'
import type { ErrorPosition } from '../../model/run.ts'
import { NoSpaceForResult } from '../../results/out-of-space.ts'
import { ResultTooLarge } from '../../results/result-too-large.ts'
import { StoreUnavailable } from '../../store/store-unavailable.ts'
import type { Interruption } from '../../work/kind.ts'

/**
 * What a person is told of a run that failed: the engine's own words where it spoke, else what happened and what to do. Null
 * for a fault of ours, whose details belong into the log.
 */
export function failureReason(error: unknown, interruption: Interruption | undefined): string | null {
  if (interruption) return failureOfInterruption(interruption)
  const isTold = error instanceof EngineError || error instanceof ResultTooLarge || error instanceof NoSpaceForResult
  if (isTold) return error.message
  if (error instanceof StoreUnavailable) return storeAwayReason
  return null
}

/** Where in the SQL the fault is. What was interrupted has none. */
export function errorPosition(error: unknown, interruption: Interruption | undefined): ErrorPosition | null {
  return !interruption && error instanceof EngineError ? error.position : null
}

/** The id of the user who stopped the run, if one did. */
export const stopperOf = (interruption: Interruption | undefined) =>
  interruption?.kind === 'stopped' ? { stoppedBy: interruption.userId } : {}

export function failureOfInterruption(interruption: Interruption): string {
  switch (interruption.kind) {
    case 'time_limit':
      return `Stopped at the time limit of ${interruption.seconds} seconds. Make the query faster, or ask the operator to raise QUERY_TIMEOUT_SECONDS.`
    case 'stopped':
      return `Stopped by ${interruption.by}.`
    case 'shutdown':
      return shutdownReason
    case 'lease_lost':
      return abandonedReason
  }
}

const shutdownReason = 'Stopped because the service was shut down. Refresh to run it again.'
export const abandonedReason = 'The process that ran it died or lost its connection to the store. Refresh to run it again.'

const storeAwayReason = 'The service could not reach its store while the result was being written. Refresh to run it again.'

/** Reasons that have nothing to do with what was run: running it again may well succeed. */
export const passingReasons = [shutdownReason, abandonedReason, storeAwayReason]

/** For faults of ours: the reason says where to look, the log says what. */
export const internalReason = (runId: string) =>
  `The service failed while running it. The operator finds the details in the log under ${runId}.`
