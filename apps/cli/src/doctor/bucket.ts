import type { S3Settings } from '@querypost/server/connections'
import { type Check, failed, ok, skipped } from '../checks.ts'
import { judgeClockDifference } from './clocks.ts'
import type { Examination } from './examination.ts'
import { request } from './service.ts'

/** Reads from the bucket for results, with the credentials of the service, and compares clocks. */
export const bucket: Examination = {
  name: 'bucket',
  async run(installation) {
    const { results } = installation.config
    if (results.kind !== 's3') return [skipped('bucket', `Results are not in S3 (RESULTS is ${results.kind}).`)]
    const { addressOf, tryBucket } = await import('@querypost/server/connections')
    const checks = [judgeBucket(results, await tryBucket(results))]
    const answer = await request(installation, addressOf(results))
    if (!('dateMs' in answer) || answer.dateMs === undefined) return checks
    const aheadMs = answer.dateMs + 500 - installation.clock.now().getTime()
    // The Date header has whole seconds. S3 rejects requests that are 15 minutes off.
    return [...checks, judgeClockDifference('bucket clock', { owner: 'the S3 server', aheadMs, toleratedMs: 2500 })]
  },
}

export function judgeBucket({ bucket: name, endpoint }: Pick<S3Settings, 'bucket' | 'endpoint'>, failure: string | undefined): Check {
  const where = endpoint === null ? name : `${name} at ${new URL(endpoint).host}`
  if (failure === undefined) return ok('bucket', `${where} can be read. Nothing was written.`)
  const remedy = 'Check RESULTS_S3_BUCKET, RESULTS_S3_REGION and RESULTS_S3_ENDPOINT, and the AWS credentials of the service.'
  return failed('bucket', `${where} can’t be read: ${failure}`, remedy)
}
