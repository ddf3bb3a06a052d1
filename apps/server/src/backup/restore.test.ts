import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { manualClock } from '../../testing/manual-clock.ts'
import { seededRandom } from '../../testing/seeded-random.ts'
import { backUp } from './back-up.ts'
import { finishRestore, storeHistoryId } from './put-in-place.ts'
import { restore, type RestoreOptions } from './restore.ts'

/**
 * With a PostgreSQL server, where a backup contains only files; a process test covers the embedded store. No process has this
 * process id, so a leftover lock is recognized as stale.
 */
const databaseUrl = 'postgres://nobody@localhost/none'
const clock = manualClock()
const processId = 999_999_999
const never = new AbortController().signal
let home: string
let source: string
let target: string
let archiveFile: string

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'querypost-backup-'))
  source = path.join(home, 'source')
  target = path.join(home, 'target')
  archiveFile = path.join(home, 'backup.tar.gz')
  await put(source, 'secret.key', 'c2VjcmV0')
  await put(source, 'databases/org_1/shop.duckdb', 'a database '.repeat(100_000))
  await put(source, 'databases/org_1/shop.duckdb.db_1.part', 'half of an import')
  await put(source, 'results/run_1.json.gz', 'a result')
  await put(source, 'results/run_2.json.gz', '')
  await put(source, 'temporary/upload', 'nobody needs this')
})
afterEach(() => rm(home, { recursive: true, force: true }))

async function put(folder: string, name: string, text: string): Promise<void> {
  const file = path.join(folder, name)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
}

/** An empty file that is never removed: its lock would be unsafe if the file could be replaced. */
const lockName = 'lock.sqlite'

const namesIn = async (folder: string) => (await readdir(folder)).filter((name) => name !== lockName).sort()

async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name !== lockName)
  const names = files.map((entry) => path.join(entry.parentPath, entry.name))
  return Object.fromEntries(
    await Promise.all(names.sort().map(async (name) => [path.relative(folder, name), await readFile(name, 'utf8')] as const)),
  )
}

const makeBackup = (change: { secretKey?: string } = {}) =>
  backUp({
    config: { dataDirectory: source, databaseUrl, secretKey: change.secretKey ?? null },
    output: createWriteStream(archiveFile),
    clock,
    random: seededRandom('backup'),
    processId,
    signal: never,
  })

type Change = Partial<Omit<RestoreOptions, 'config'>> & { config?: Partial<RestoreOptions['config']> }
const restoring = (change: Change = {}) =>
  restore({
    input: change.input ?? createReadStream(archiveFile),
    isReplacing: false,
    clock,
    random: seededRandom('restore'),
    processId,
    signal: never,
    ...change,
    config: { dataDirectory: target, databaseUrl, secretKey: null, ...change.config },
  })

describe('a restore', () => {
  test('restores exactly the files of the backup, readable by their owner only', async () => {
    const backedUp = await makeBackup()
    expect(backedUp).toMatchObject({ fileCount: 4, wasRunning: false, about: { kind: 'files', secretKey: 'included' } })
    expect(await readdir(path.join(source, 'temporary'))).toEqual(['upload'])
    expect(await restoring()).toMatchObject({ fileCount: 4, replaced: null, backup: { kind: 'files' } })
    const { 'restored.json': record, ...files } = await filesOf(target)
    expect(JSON.parse(record!)).toMatchObject({ backup: { createdAt: backedUp.about.createdAt }, id: expect.any(String) })
    expect(files).toEqual({
      'databases/org_1/shop.duckdb': 'a database '.repeat(100_000),
      'results/run_1.json.gz': 'a result',
      'results/run_2.json.gz': '',
      'secret.key': 'c2VjcmV0',
    })
    expect((await stat(path.join(target, 'secret.key'))).mode & 0o777).toBe(0o600)
    expect((await stat(path.join(target, 'databases/org_1'))).mode & 0o777).toBe(0o700)
  })

  test('starts a new history each time', async () => {
    await makeBackup()
    await restoring()
    const first = await storeHistoryId(target, '7')
    await restoring({ isReplacing: true, random: seededRandom('another') })
    expect(first).toMatch(/^7-[a-z0-9]{12}$/)
    expect(await storeHistoryId(target, '7')).not.toBe(first)
    expect(await storeHistoryId(source, '7')).toBe('7')
  })

  test('rejects a folder that is not empty; with isReplacing, moves its content aside and deletes nothing', async () => {
    await makeBackup({ secretKey: 'a secret of at least thirty-two characters' })
    await put(target, 'secret.key', 'the former key')
    await put(target, 'store/base', 'the former store')
    const before = await filesOf(target)
    await expect(restoring()).rejects.toThrow(/is not empty \(secret\.key, store\).*--replace/)
    expect(await filesOf(target)).toEqual(before)
    const { replaced } = await restoring({ isReplacing: true })
    expect(await filesOf(replaced!)).toEqual(before)
    expect(await namesIn(target)).toEqual(['databases', path.basename(replaced!), 'restored.json', 'results'])
  })

  test('rejects a backup that does not match the settings', async () => {
    await makeBackup({ secretKey: 'a secret of at least thirty-two characters' })
    await expect(restoring({ config: { databaseUrl: null } })).rejects.toThrow(/uses a PostgreSQL server.*set DATABASE_URL/)
    const other = { secretKey: 'another secret of thirty-two characters' }
    await expect(restoring({ config: other })).rejects.toThrow(/SECRET_KEY is not the key.*Use the SECRET_KEY of that service/)
    expect(existsSync(path.join(target, 'restored.json'))).toBe(false)
  })
})

describe('a damaged archive', () => {
  test('is rejected wherever it was truncated, and leaves nothing behind', async () => {
    await makeBackup()
    const bytes = await readFile(archiveFile)
    const cuts = [0, 1, 20, Math.floor(bytes.length / 2), bytes.length - 9, bytes.length - 1]
    for (const length of cuts) {
      const cut = Readable.from([bytes.subarray(0, length)])
      await expect(restoring({ input: cut })).rejects.toThrow(/is truncated.*Nothing was restored/)
      expect(await namesIn(target)).toEqual([])
    }
  })

  test('is rejected when any byte of a file or a name was changed', async () => {
    await makeBackup()
    const tar = gunzipSync(await readFile(archiveFile))
    for (const text of ['a database a', 'a result', 'run_1.json.gz', 'c2VjcmV0', '"createdAt":"2']) {
      const changed = Buffer.from(tar)
      const at = tar.lastIndexOf(text)
      changed[at + text.length - 1]! ^= 1
      await expect(restoring({ input: Readable.from([gzipSync(changed)]) }), text).rejects.toThrow('Nothing was restored')
      expect(await namesIn(target)).toEqual([])
    }
  })

  test('is rejected when it is not a backup at all', async () => {
    await expect(restoring({ input: Readable.from(['plain text']) })).rejects.toThrow('damaged or is not a backup')
    const other = await tarOf([{ name: 'x', text: 'y' }])
    await expect(restoring({ input: other })).rejects.toThrow('This is not a backup of Querypost.')
  })
})

interface MadeEntry {
  name: string
  text?: string
  type?: 'symlink' | 'directory'
}

async function tarOf(entries: MadeEntry[]): Promise<Readable> {
  const archive = pack()
  for (const { name, text = '', type } of entries) {
    if (type) archive.entry({ name, type, linkname: '/etc/passwd' })
    else archive.entry({ name }, text)
  }
  archive.finalize()
  const pieces: Uint8Array[] = []
  for await (const piece of archive as AsyncIterable<Uint8Array>) pieces.push(piece)
  return Readable.from([gzipSync(Buffer.concat(pieces))])
}

const manifestOf = (change: object) => ({
  name: 'manifest.json',
  text: JSON.stringify({
    format: 'querypost backup',
    formatVersion: 1,
    kind: 'files',
    querypostVersion: '9.1.0',
    createdAt: '2026-01-05T09:00:00.000Z',
    migrations: [],
    systemIdentifier: null,
    secretKey: 'given',
    secretKeyFingerprint: null,
    files: [],
    folders: [],
    ...change,
  }),
})

describe('a forged archive', () => {
  test.each([
    '../outside',
    '/etc/outside',
    'results/../../outside',
    'results//outside',
    'results/./outside',
    'lock',
    'lock.sqlite',
    'restored.json',
    '',
    'results/a\0b',
  ])('cannot write to %j', async (name) => {
    const listed = { files: [{ path: name, sizeBytes: 1 }] }
    const withFile = await tarOf([manifestOf(listed), { name, text: 'x' }])
    await expect(restoring({ input: withFile })).rejects.toThrow('Nothing was restored')
    const withFolder = await tarOf([manifestOf({ folders: [name] })])
    await expect(restoring({ input: withFolder })).rejects.toThrow('Nothing was restored')
    expect((await readdir(home)).sort()).toEqual(['source', 'target'])
    expect(await namesIn(target)).toEqual([])
  })

  test.each<[string, MadeEntry[], RegExp]>([
    ['a link', [{ name: 'results/link', type: 'symlink' }], /not a plain file/],
    ['a file that its manifest does not list', [{ name: 'results/other', text: 'x' }], /not in its list/],
    ['a file of another size', [{ name: 'results/run', text: 'longer' }], /not in its list/],
    ['a file twice', [{ name: 'results/run', text: 'x' }, { name: 'results/run', text: 'x' }], /not in its list/],
    ['a file without its checksum', [{ name: 'results/run', text: 'x' }, { name: 'SHA256SUMS' }], /checksum .* does not match/],
    ['too few files', [{ name: 'SHA256SUMS' }], /results\/run is missing/],
    ['an entry after the checksums', [{ name: 'SHA256SUMS' }, { name: 'results/run', text: 'x' }], /entries after/],
  ])('cannot contain %s', async (_, entries, words) => {
    const manifest = manifestOf({ files: [{ path: 'results/run', sizeBytes: 1 }] })
    await expect(restoring({ input: await tarOf([manifest, ...entries]) })).rejects.toThrow(words)
    expect(await namesIn(target)).toEqual([])
  })

  test('is rejected when it comes from a newer version, naming that version', async () => {
    const newer = await tarOf([manifestOf({ migrations: ['0001-first.sql', '9999-later.sql'] })])
    await expect(restoring({ input: newer })).rejects.toThrow(/Querypost 9\.1\.0, whose schema \(\w+-\w+\.sql\) is newer/)
    const other = await tarOf([manifestOf({ formatVersion: 2 })])
    await expect(restoring({ input: other })).rejects.toThrow(/Querypost 9\.1\.0, in a format that this version cannot read/)
  })

  test('is rejected before it fills the disk', async () => {
    const huge = await tarOf([manifestOf({ files: [{ path: 'results/run', sizeBytes: 2 ** 52 }] })])
    await expect(restoring({ input: huge })).rejects.toThrow('There is not enough space')
  })
})

describe('a backup', () => {
  test('fails when a file changes while it is being read', async () => {
    const file = path.join(source, 'databases/org_1/shop.duckdb')
    const backing = backUp({
      config: { dataDirectory: source, databaseUrl, secretKey: null },
      output: createWriteStream(archiveFile),
      clock,
      random: seededRandom('backup'),
      processId,
      signal: never,
      onProgress({ doneBytes }) {
        if (doneBytes === 256 * 1024) void writeFile(file, 'another database')
      },
    })
    await expect(backing).rejects.toThrow(/shop\.duckdb changed while it was being read/)
    expect(await readdir(path.join(source, 'temporary'))).toEqual(['upload'])
  })

  test('leaves nothing behind when it is aborted', async () => {
    const gone = new AbortController()
    const backing = backUp({
      config: { dataDirectory: source, databaseUrl, secretKey: null },
      output: createWriteStream(archiveFile),
      clock,
      random: seededRandom('backup'),
      processId,
      signal: gone.signal,
      onProgress: () => gone.abort(new Error('interrupted')),
    })
    await expect(backing).rejects.toThrow('interrupted')
    expect(await readdir(path.join(source, 'temporary'))).toEqual(['upload'])
  })

  test('follows a symbolic link in the databases folder', async () => {
    await put(home, 'elsewhere.duckdb', 'a database of the operator')
    await symlink(path.join(home, 'elsewhere.duckdb'), path.join(source, 'databases/org_1/linked.duckdb'))
    await makeBackup()
    await restoring()
    const found = await readFile(path.join(target, 'databases/org_1/linked.duckdb'), 'utf8')
    expect(found).toBe('a database of the operator')
  })

  test('removes the leftovers of a killed backup after a day', async () => {
    await put(source, 'temporary/backup-old/secret.key', 'x')
    await put(source, 'temporary/backup-new/secret.key', 'x')
    const dayAgo = new Date(clock.now().getTime() - 25 * 3600_000)
    await utimes(path.join(source, 'temporary/backup-old'), dayAgo, dayAgo)
    await utimes(path.join(source, 'temporary/backup-new'), clock.now(), clock.now())
    await makeBackup()
    expect((await readdir(path.join(source, 'temporary'))).sort()).toEqual(['backup-new', 'upload'])
  })

  test('of a missing folder fails with a message that names DATA_DIR', async () => {
    source = path.join(home, 'nowhere')
    await expect(makeBackup()).rejects.toThrow(/nothing to back up at DATA_DIR=.*nowhere/)
  })
})

test('a restore that was interrupted while moving its parts is completed by the next start', async () => {
  await makeBackup()
  await restoring()
  const whole = await filesOf(target)
  // Every point at which it can be interrupted: this many of its parts are already in place.
  for (const movedCount of [0, 1, 2, 3, 4]) {
    const names = ['secret.key', 'databases', 'results', 'restored.json']
    await mkdir(path.join(target, 'restored'))
    for (const name of names.slice(movedCount)) await rename(path.join(target, name), path.join(target, 'restored', name))
    await finishRestore(target, processId)
    expect(await filesOf(target)).toEqual(whole)
    expect(existsSync(path.join(target, 'restored'))).toBe(false)
  }
})
