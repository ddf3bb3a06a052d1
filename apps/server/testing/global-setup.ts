import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setFlagsFromString } from 'node:v8'
import { createGunzip } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { systemClock } from '../src/ports/clock.ts'
import { openEmbedded, openPostgres } from '../src/store/db.ts'
import { migrate } from '../src/store/migrate.ts'
import { readMigrations } from '../src/store/migration-files.ts'
import { storeImageFile } from '../src/store/store-image.ts'
import { startPostgresServer } from './servers/postgres-server.ts'
import { silentLog } from './silent-log.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
    postgresSocketFolder: string
    pgliteImage: string
  }
}

/** Starts once for all test files: a PostgreSQL server with a migrated template database, and a migrated image for PGlite. */
export default async function setup(project: TestProject) {
  const folder = await mkdtemp(path.join(tmpdir(), 'querypost-tests-'))
  const [server] = await Promise.all([startTemplateServer(), writePgliteImage(path.join(folder, 'pglite.tar'))])
  project.provide('postgresUrl', server.url)
  project.provide('postgresSocketFolder', server.socketFolder)
  project.provide('pgliteImage', path.join(folder, 'pglite.tar'))
  // A folder for files that tests create once and share. Workers inherit the environment of this process.
  process.env['QUERYPOST_TEST_FOLDER'] = folder
  return async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function startTemplateServer() {
  const server = await startPostgresServer()
  const client = new pg.Client(server.url)
  await client.connect()
  await client.query('create database querypost_template')
  await client.end()
  const store = await openPostgres({
    url: server.urlOf('querypost_template'),
    maxConnections: 1,
    clock: systemClock,
    log: silentLog,
  })
  await migrate({ db: store.db, clock: systemClock })
  await store.close()
  return server
}

/** `npm test` has built an image for first starts. Making one takes several CPU seconds. */
async function writePgliteImage(file: string) {
  const built = await storeImageFile({ migrations: await readMigrations() })
  if (existsSync(built)) return pipeline(createReadStream(built), createGunzip(), createWriteStream(file))
  // This process creates only one store, so compiling optimized code does not pay off.
  setFlagsFromString('--liftoff-only')
  const pglite = await PGlite.create()
  const store = await openEmbedded({ pglite })
  await migrate({ db: store.db, clock: systemClock })
  const image = await pglite.dumpDataDir('none')
  await writeFile(file, Buffer.from(await image.arrayBuffer()))
  await store.close()
}
