import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { manualClock } from '../../testing/manual-clock.ts'
import { seededRandom } from '../../testing/seeded-random.ts'
import { openEmbedded } from '../store/db.ts'
import { migrate } from '../store/migrate.ts'
import { parseMigration, readMigrations } from '../store/migration-files.ts'
import { storeImageFile, unpackStoreImage } from '../store/store-image.ts'
import { backUp } from './back-up.ts'
import { restore } from './restore.ts'

const clock = manualClock()
const processId = 999_999_999
let home: string
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'querypost-image-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const storeFolder = (name: string) => path.join(home, name, 'store')
const unpack = (name: string) => unpackStoreImage({ target: storeFolder(name), clock, random: seededRandom(name), folder: home })

test('stores of one image have the current schema, and identifiers that their backups keep', async () => {
  const file = await storeImageFile({ folder: home, migrations: await readMigrations() })
  await pipeline(createReadStream(inject('pgliteImage')), createGzip({ level: 0 }), createWriteStream(file))
  expect([await unpack('one'), await unpack('other')]).toEqual([true, true])
  const other = await openEmbedded({ folder: storeFolder('other') })
  expect(await migrate({ db: other.db, clock })).toEqual({ applied: [], unknown: [] })
  await other.close()

  const options = { clock, processId, signal: new AbortController().signal }
  const configOf = (name: string) => ({ dataDirectory: path.join(home, name), databaseUrl: null, secretKey: 'a secret of at least thirty-two characters' })
  const archive = path.join(home, 'backup.tar.gz')
  const { about } = await backUp({ ...options, config: configOf('one'), output: createWriteStream(archive), random: seededRandom('backup') })
  // Opens the store, and compares its identifier with the one of the backup.
  await restore({ ...options, config: configOf('restored'), input: createReadStream(archive), isReplacing: false, random: seededRandom('restore') })
  expect(about.systemIdentifier).toMatch(/^\d{19}$/)
  expect(about.systemIdentifier).not.toBe(other.systemIdentifier)
})

test('an image of other migrations is not used', async () => {
  const migrations = [...(await readMigrations()), parseMigration('9999-later.sql', 'select 1;')]
  await writeFile(await storeImageFile({ folder: home, migrations }), '')
  expect(await unpack('one')).toBe(false)
  expect(existsSync(storeFolder('one'))).toBe(false)
})
