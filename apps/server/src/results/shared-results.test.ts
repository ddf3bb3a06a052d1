import { sql } from 'kysely'
import { describe, vi } from 'vitest'
import { systemClock } from '../ports/clock.ts'
import { openPostgres } from '../store/db.ts'
import { makeResultLedger } from '../store/results/result-ledger.ts'
import { makeResultPieces } from '../store/results/result-pieces.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import { startS3Server } from '../../testing/servers/s3-server.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { openTestStore, storeKinds, type TestStore } from '../../testing/store/test-store.ts'
import { resultsConformance } from '../../testing/results/result-store-conformance.ts'
import { postgresPlaces } from './postgres-place.ts'
import { openS3Objects } from './s3/s3-objects.ts'
import { s3Places } from './s3/s3-place.ts'
import { openSharedResults } from './shared-results.ts'

const log = silentLog

describe.each(storeKinds)('on %s', (kind) => {
  resultsConformance({
    name: 'PostgreSQL',
    async start() {
      const store = await openTestStore(kind)
      const clock = manualClock()
      const others: { close(): Promise<void> }[] = []
      return {
        // The embedded store writes its bytes as text.
        manyBatches: kind === 'pglite' ? 6 : 40,
        largeBatches: 6,
        heldMaxMb: { writing: 6, reading: 6 },
        clock,
        async open() {
          // Another process has its own connections. The embedded store supports only one process.
          const own = store.url ? await openPostgres({ url: store.url, clock: systemClock, log }) : undefined
          if (own) others.push(own)
          const places = postgresPlaces(makeResultPieces(own ?? store))
          return openSharedResults({ ledger: makeResultLedger(own ?? store), places, writeTo: 'postgres', clock, log })
        },
        kept: () => keptIn(store),
        async release() {
          for (const each of others) await each.close()
          await store.close()
        },
      }
    },
  })
})

resultsConformance({
  name: 'S3',
  async start() {
    const [store, server] = [await openTestStore('pglite'), await startS3Server()]
    vi.stubEnv('AWS_ACCESS_KEY_ID', server.accessKey)
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', server.accessKey)
    const { endpoint, bucket } = server
    const clock = manualClock()
    return {
      manyBatches: 80,
      largeBatches: 12,
      // Three parts, plus the memory of the server in this process.
      heldMaxMb: { writing: 27, reading: 10 },
      clock,
      async open() {
        const objects = await openS3Objects({ endpoint, bucket, region: null, prefix: 'some/results/' })
        const places = s3Places(objects)
        return openSharedResults({ ledger: makeResultLedger(store), places, writeTo: 's3', clock, log })
      },
      kept: async () => [...(await keptIn(store)), ...(await server.objects()), ...(await server.uploads())],
      async release() {
        vi.unstubAllEnvs()
        await server.stop()
        await store.close()
      },
    }
  },
})

async function keptIn({ db }: TestStore): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select run_id as id from results union all select distinct run_id || ' in pieces' from result_pieces`.execute(db)
  return rows.map(({ id }) => id)
}
