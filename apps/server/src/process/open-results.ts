import { existsSync } from 'node:fs'
import { ConfigError } from '../settings/config.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Random } from '../ports/random.ts'
import { type ArchiveBytes, makeArchiveBytes } from '../results/archive/archive-bytes.ts'
import { makeFilePlace } from '../results/archive/file-place.ts'
import { cachedResults } from '../results/cached-results.ts'
import { openFileResults } from '../results/file-results.ts'
import { withFormerResults } from '../results/former-results.ts'
import { withOutOfSpaceErrors } from '../results/out-of-space.ts'
import { makePostgresPlace, postgresPlaces } from '../results/postgres-place.ts'
import type { ResultStore } from '../results/result-store.ts'
import type { ResultsSetting, S3Settings } from '../results/results-setting.ts'
import { BucketUnusable, probeBucket } from '../results/s3/probe.ts'
import { openS3Objects, type S3Objects } from '../results/s3/s3-objects.ts'
import { keyOfArchived, makeS3Place, s3Places } from '../results/s3/s3-place.ts'
import { openSharedResults } from '../results/shared-results.ts'
import type { Store } from '../store/db.ts'
import { makeResultLedger } from '../store/results/result-ledger.ts'
import { makeArchivePieces, makeResultPieces } from '../store/results/result-pieces.ts'

/**
 * Opens the result store that the operator has chosen, and the archive at the same place. Results that are still in files or in the database remain readable, so
 * changing the setting does not lose them.
 */
export async function openResults(options: {
  setting: ResultsSetting
  folder: string
  /** For archived results. */
  archiveFolder: string
  store: Pick<Store, 'db' | 'backgroundDb'>
  clock: Clock
  random: Random
  log: Log
}): Promise<{ results: ResultStore; archive: ArchiveBytes }> {
  const { setting, folder, archiveFolder, store, clock, log } = options
  const bucket = setting.kind === 's3' ? await openBucket(setting, options.random) : undefined
  const archive = makeArchiveBytes({
    places: {
      files: makeFilePlace({ folder: archiveFolder }),
      postgres: makePostgresPlace(makeArchivePieces(store)),
      ...(bucket && { s3: makeS3Place(bucket, { keyOf: keyOfArchived }) }),
    },
    writeTo: setting.kind,
  })
  const shared = openSharedResults({
    ledger: makeResultLedger(store),
    places: { ...postgresPlaces(makeResultPieces(store)), ...(bucket && s3Places(bucket)) },
    writeTo: bucket ? 's3' : 'postgres',
    clock,
    log,
  })
  if (setting.kind === 'files') {
    const own = await openFileResults({ folder, clock })
    return { archive, results: cachedResults(withOutOfSpaceErrors(withFormerResults(own, [shared]), { log })) }
  }
  const files = existsSync(folder) ? [await openFileResults({ folder, clock })] : []
  return { archive, results: cachedResults(withOutOfSpaceErrors(withFormerResults(shared, files), { log })) }
}

async function openBucket(settings: S3Settings, random: Random): Promise<S3Objects> {
  const objects = await openS3Objects(settings)
  try {
    await probeBucket(objects, { key: `probe-${Buffer.from(random.bytes(12)).toString('hex')}` })
  } catch (error) {
    if (!(error instanceof BucketUnusable)) throw error
    const at = settings.endpoint ? ` at RESULTS_S3_ENDPOINT=${settings.endpoint}` : ''
    throw new ConfigError(
      `RESULTS_S3_BUCKET=${settings.bucket}${at}: the bucket cannot be used: ${error.message}. Check that it exists, ` +
        'that RESULTS_S3_REGION is its region, and that the credentials (AWS_ACCESS_KEY_ID and ' +
        'AWS_SECRET_ACCESS_KEY, or another AWS credential source) may put, get and delete its objects and abort multipart uploads.',
    )
  }
  return objects
}
