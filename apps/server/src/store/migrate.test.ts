import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { systemClock } from '../ports/clock.ts'
import { silentLog } from '../testing/silent-log.ts'
import { openPostgres } from './db.ts'
import { migrate } from './migrate.ts'

test('processes that start together migrate an empty database once', async () => {
  const url = new URL(inject('postgresUrl'))
  const admin = new pg.Client(url.href)
  await admin.connect()
  await admin.query('create database migrate_together')
  await admin.end()
  url.pathname = '/migrate_together'
  const stores = await Promise.all(Array.from({ length: 5 }, () => openPostgres({ url: url.href, clock: systemClock, log: silentLog })))

  const applied = await Promise.all(stores.map(({ db }) => migrate({ db, clock: systemClock })))

  expect(applied.filter((names) => names.length > 0)).toHaveLength(1)
  expect(await migrate({ db: stores[0]!.db, clock: systemClock })).toEqual([])
  await Promise.all(stores.map((store) => store.close()))
})
