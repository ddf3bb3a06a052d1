import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { systemClock } from '../ports/clock.ts'
import { readConfig } from '../settings/config.ts'
import { readMigrations } from '../store/migration-files.ts'
import { migrateStore } from './migrate-store.ts'

const url = new URL(inject('postgresUrl'))
url.pathname = `/migrate_${randomUUID().replaceAll('-', '')}`
let folder: string

const asAdmin = async (statement: string, database = inject('postgresUrl')) => {
  const client = new pg.Client(database)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
const migrateNow = () => {
  const config = readConfig({ DATA_DIR: folder, DATABASE_URL: url.href, SECRET_KEY: 'a secret of at least thirty-two characters' })
  return migrateStore({ config, clock: systemClock, processId: process.pid })
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-migrate-'))
  await asAdmin(`create database ${url.pathname.slice(1)}`)
})
afterAll(async () => {
  await asAdmin(`drop database ${url.pathname.slice(1)}`)
  await rm(folder, { recursive: true, force: true })
})

test('migrates an empty database, then finds it up to date, then newer', async () => {
  const migrations = await readMigrations()
  expect(await migrateNow()).toBe(`Applied ${migrations.length} migrations, up to ${migrations.at(-1)!.name}.`)
  expect(await migrateNow()).toBe('The schema is up to date.')
  await asAdmin("insert into schema_migrations (name, hash, applied_at) values ('9999-later.sql', 'x', now())", url.href)
  expect(await migrateNow()).toBe('The schema is up to date. It is newer than this version, which ignores 9999-later.sql.')
})
