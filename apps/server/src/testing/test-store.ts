import { randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { inject } from 'vitest'
import { systemClock } from '../ports/clock.ts'
import { openEmbedded, openPostgres, type Store } from '../store/db.ts'
import { silentLog } from './silent-log.ts'

/** The two places where the service keeps its state. What a test says of one must be true of the other. */
export const storeKinds = ['pglite', 'postgres'] as const
export type StoreKind = (typeof storeKinds)[number]

/** A migrated, empty store of its own for one test file. `url` is there for a server only. */
export async function openTestStore(kind: StoreKind): Promise<Store & { url?: string }> {
  if (kind === 'pglite') {
    const pglite = await PGlite.create({ loadDataDir: await openAsBlob(inject('pgliteImage')) })
    return openEmbedded({ pglite })
  }
  const database = `test_${randomUUID().replaceAll('-', '')}`
  const serverUrl = inject('postgresUrl')
  const admin = new pg.Client(serverUrl)
  await admin.connect()
  await admin.query(`create database ${database} template querypost_template`)
  await admin.end()
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return { ...(await openPostgres({ url: url.href, clock: systemClock, log: silentLog })), url: url.href }
}
