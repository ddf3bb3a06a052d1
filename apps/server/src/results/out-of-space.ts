import type { Log } from '../ports/log.ts'
import type { ResultStore } from './result-store.ts'

/** There is no space left to store the result. Only the operator can free some. */
export class NoSpaceForResult extends Error {
  override readonly name = 'NoSpaceForResult'
  constructor(options: { cause: unknown }) {
    super(
      'There is not enough disk space to store the result. Select fewer columns or rows, or ask the operator to free disk space.',
      options,
    )
  }
}

/** File system: full, or over quota. */
const fileCodes = new Set(['ENOSPC', 'EDQUOT'])
/** PostgreSQL: disk_full. */
const postgresCode = '53100'
/** S3-compatible servers: MinIO and Ceph. */
const bucketCodes = new Set(['XMinioStorageFull', 'QuotaExceeded'])
const insufficientStorage = 507

export function isOutOfSpace(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, name, $metadata } = error as { code?: unknown; name: string; $metadata?: { httpStatusCode?: number } }
  return (
    fileCodes.has(String(code)) ||
    code === postgresCode ||
    bucketCodes.has(name) ||
    $metadata?.httpStatusCode === insufficientStorage ||
    isOutOfSpace(error.cause)
  )
}

/** Turns out-of-space errors into a message for the person who ran the query, and logs the cause. */
export function withOutOfSpaceErrors(results: ResultStore, { log }: { log: Log }): ResultStore {
  return {
    ...results,
    async write(options) {
      try {
        return await results.write(options)
      } catch (error) {
        if (!isOutOfSpace(error)) throw error
        log.error({ err: error, runId: options.runId }, 'result not stored: no space left')
        throw new NoSpaceForResult({ cause: error })
      }
    },
  }
}
