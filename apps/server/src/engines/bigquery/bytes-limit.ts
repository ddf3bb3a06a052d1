import { describeBytes } from '../../ports/describe-bytes.ts'
import type { ServerSettings } from '../../model/server-settings.ts'
import { BigqueryError } from './bigquery-failure.ts'

const gigabyte = 1e9

/** The most that a query may read; undefined if there is no limit. */
export function limitBytesOf({ options }: ServerSettings): number | undefined {
  const gigabytes = options?.['maxGigabytes']
  return gigabytes === undefined ? undefined : Math.floor(Number(gigabytes) * gigabyte)
}

export function checkBytes(estimatedBytes: number, limitBytes: number | undefined): void {
  if (limitBytes === undefined || estimatedBytes <= limitBytes) return
  throw new BigqueryError(
    'refused',
    `This query reads ${describeBytes(estimatedBytes)}, more than the limit of ${describeBytes(limitBytes)} per query. ` +
      'Select fewer columns or partitions, or ask an admin to raise the limit of the database.',
    { reason: 'bytesBilledLimitExceeded' },
  )
}
