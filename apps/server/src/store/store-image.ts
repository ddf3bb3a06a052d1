/**
 * An *image* is an archive of an empty embedded store with the current schema, written when the service is built. PostgreSQL takes seconds
 * to create a store, and the migrations take more; unpacking an image takes a fraction of one.
 *
 * - An image is used only by the version that it was made for: its name has a hash of the migrations and of PostgreSQL's version. Without
 *   one, a store is created in the ordinary way.
 * - Every store that is unpacked gets a system identifier of its own. Otherwise backups and cursors of one store would be valid for
 *   another.
 */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createGunzip } from 'node:zlib'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import { openEmbedded } from './db.ts'
import { migrate } from './migrate.ts'
import { type Migration, readMigrations } from './migration-files.ts'
import { setSystemIdentifier } from './system-identifier.ts'

const defaultFolder = fileURLToPath(new URL('../../dist/', import.meta.url))

/** The file of the image for this version, whether it exists or not. */
export async function storeImageFile({ folder = defaultFolder, migrations }: { folder?: string; migrations: Migration[] }): Promise<string> {
  const manifest = findPackageJSON('@electric-sql/pglite', import.meta.url)!
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string }
  const hash = createHash('sha256').update(version)
  for (const { name, hash: content } of migrations) hash.update(`\n${name} ${content}`)
  return path.join(folder, `store-${hash.digest('hex').slice(0, 16)}.tar.gz`)
}

/** Writes the image for this version, and removes those of others. */
export async function writeStoreImage({ clock, folder = defaultFolder }: { clock: Clock; folder?: string }): Promise<string> {
  const { PGlite } = await import('@electric-sql/pglite')
  const pglite = await PGlite.create()
  const store = await openEmbedded({ pglite })
  await migrate({ db: store.db, clock })
  await pglite.exec('checkpoint')
  const image = await pglite.dumpDataDir('gzip')
  await store.close()
  const file = await storeImageFile({ folder, migrations: await readMigrations() })
  await mkdir(folder, { recursive: true })
  const unfinished = `${file}.${process.pid}`
  await writeFile(unfinished, Buffer.from(await image.arrayBuffer()))
  await rename(unfinished, file)
  for (const name of await readdir(folder)) {
    if (/^store-.*\.tar\.gz$/.test(name) && name !== path.basename(file)) await rm(path.join(folder, name))
  }
  return file
}

/** Creates the folder of a new store from the image. False if there is no image for this version. */
export async function unpackStoreImage(options: {
  target: string
  clock: Clock
  random: Random
  folder?: string
}): Promise<boolean> {
  const { target, clock, random, folder = defaultFolder } = options
  const file = await storeImageFile({ folder, migrations: await readMigrations() })
  if (!existsSync(file)) return false
  await unpack(file, target)
  await setSystemIdentifier(target, makeSystemIdentifier({ clock, random }))
  return true
}

/** Like PostgreSQL's own: the time in the upper half, so that identifiers also differ between stores whose random halves are equal. */
function makeSystemIdentifier({ clock, random }: { clock: Clock; random: Random }): bigint {
  const seconds = BigInt(Math.floor(clock.now().getTime() / 1000))
  return (seconds << 32n) | BigInt(Buffer.from(random.bytes(4)).readUInt32LE())
}

/** Writes synchronously: there are a thousand small files, and nothing else to do. */
async function unpack(file: string, target: string): Promise<void> {
  const { extract } = await import('tar-stream')
  const entries = extract()
  const flowing = pipeline(createReadStream(file), createGunzip(), entries)
  mkdirSync(target, { recursive: true, mode: 0o700 })
  for await (const entry of entries) {
    const { name, type } = entry.header
    const place = path.join(target, name)
    mkdirSync(type === 'directory' ? place : path.dirname(place), { recursive: true, mode: 0o700 })
    if (type === 'file') writeFileSync(place, await buffer(entry), { mode: 0o600 })
    else entry.resume()
  }
  await flowing
}
