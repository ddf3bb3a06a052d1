import { EngineError } from '../../engines/engine.ts'
import type { ErrorPosition } from '../../model/run.ts'
import { NoSpaceForResult } from '../../results/out-of-space.ts'
import { ResultTooLarge } from '../../results/result-too-large.ts'
import { StoreUnavailable } from '../../store/store-unavailable.ts'
import type { Interruption } from '../../work/kind.ts'

/**
 * The reason shown for a failed run: the engine's own message if there is one, else what happened and what to do. Null for an
 * internal error, whose details belong in the log.
 */
export function failureReason(error: unknown, interruption: Interruption | undefined): string | null {
  if (interruption) return failureOfInterruption(interruption)
  const isExplained = error instanceof EngineError || error instanceof ResultTooLarge || error instanceof NoSpaceForResult
  if (isExplained) return error.message
  if (error instanceof StoreUnavailable) return storeUnavailableReason
  return null
}

/** Where in the SQL the error is. Null if the run was interrupted. */
export function errorPosition(error: unknown, interruption: Interruption | undefined): ErrorPosition | null {
  return !interruption && error instanceof EngineError ? error.position : null
}

/** The id of the user who stopped the run, if one did. */
export const stopperOf = (interruption: Interruption | undefined) =>
  interruption?.kind === 'stopped' ? { stoppedBy: interruption.userId } : {}

export function failureOfInterruption(interruption: Interruption): string {
  switch (interruption.kind) {
    case 'time_limit':
      return (
        `Stopped after the time limit of ${interruption.seconds} seconds. ` +
        'Make the query faster, or ask your administrator to raise QUERY_TIMEOUT_SECONDS.'
      )
    case 'stopped':
      return `Stopped by ${interruption.by}.`
    case 'shutdown':
      return shutdownReason
    case 'lease_lost':
      return abandonedReason
  }
}

const shutdownReason = 'Stopped because the service shut down. Refresh to run it again.'
export const abandonedReason = 'The process running it crashed or lost its connection to the store. Refresh to run it again.'

const storeUnavailableReason = 'The service could not reach its store while the result was being written. Refresh to run it again.'

/** Reasons unrelated to the query: running it again may well succeed. */
export const transientReasons = [shutdownReason, abandonedReason, storeUnavailableReason]

/** For internal errors: the reason says where to look; the log has the details. */
export const internalReason = (runId: string) =>
  `The run failed because of an internal error. The details are in the server log under ${runId}.`
