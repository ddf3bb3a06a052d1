import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { findCycles, isTest, readSourceFiles, root, withoutComments } from './source-files.ts'

/** Conventions of this code base that reviewers should not have to check. */
const files = readSourceFiles()
const source = 'apps/server/src/'
const server = files
  .filter(({ file }) => file.startsWith(source) && !isTest(file))
  .map(({ file, text, imports }) => ({ file: file.slice(source.length), room: roomOf(file), text, imports }))

const isSupport = (file: string) => file.includes('/testing/')
const isEntry = (file: string) => /^apps\/server\/(entry\/[\w-]+|testing\/(index|gallery|suites))\.ts$/.test(file)

/** The room of a file, such as `domain/people`. A file outside a folder is its own room. */
const folderOf = (file: string) => file.split('/').slice(0, 2).join('/')

function roomOf(file: string): string {
  return file.slice(source.length).split('/')[0]!
}

/** The floors of the server, from the top down. A file imports only from its own room or from a lower floor. */
const floors = [
  ['process'],
  ['backup'],
  ['settings', 'sample'],
  ['http', 'workers'],
  ['domain'],
  ['work'],
  ['store', 'engines', 'results'],
  ['model'],
  ['ports'],
]
const floorOf = new Map(floors.flatMap((rooms, floor) => rooms.map((room) => [room, floor] as const)))

describe('imports', () => {
  test('every file of the server is in a room with a floor', () => {
    expect(server.filter(({ room }) => !floorOf.has(room)).map(({ file }) => file)).toEqual([])
  })

  test('point down, including imports of types', () => {
    const upward = server.flatMap(({ file, room, imports }) =>
      imports
        .filter((target) => target.startsWith(source) && roomOf(target) !== room)
        .filter((target) => floorOf.get(roomOf(target))! <= floorOf.get(room)!)
        .map((target) => `${file} → ${target.slice(source.length)}`),
    )
    expect(upward).toEqual([])
  })

  test('have no cycles anywhere in the repository', () => {
    expect(findCycles(files)).toEqual([])
  })

  test('have no cycles between the folders of a room', () => {
    const folders = Map.groupBy(server, ({ file }) => folderOf(file))
    const graph = [...folders].map(([file, those]) => ({
      file,
      text: '',
      imports: those
        .flatMap(({ imports }) => imports.filter((target) => target.startsWith(source)).map((target) => folderOf(target.slice(source.length))))
        .filter((target) => target !== file && folders.has(target)),
    }))
    expect(findCycles(graph)).toEqual([])
  })

  test('of shipped code exclude test code', () => {
    const shipped = files.filter(
      ({ file }) => /^(apps\/(server|cli|web)|packages\/\w+)\/(src|entry)\//.test(file) && !isTest(file) && !isSupport(file),
    )
    const strays = shipped.flatMap(({ file, imports }) =>
      imports.filter((target) => isTest(target) || isSupport(target)).map((target) => `${file} → ${target}`),
    )
    expect(strays).toEqual([])
  })

  test('of the server from outside go through its entry points', () => {
    const entries = new Set(files.filter(({ file }) => isEntry(file)).map(({ file }) => file))
    const strays = files
      .filter(({ file }) => !file.startsWith('apps/server/'))
      .flatMap(({ file, imports }) =>
        imports
          .filter((target) => target.startsWith('apps/server/') && !entries.has(target))
          .map((target) => `${file} → ${target}`),
      )
    expect(strays).toEqual([])
  })

  test('of Fastify are only in http, of database drivers only in store and engines', () => {
    const strays = server.flatMap(({ file, room, text }) =>
      [...text.matchAll(/from '((?:@fastify\/|fastify|pg|@electric-sql|@duckdb)[^']*)'/g)]
        .map(([, module]) => module!)
        .filter((module) => (module.includes('fastify') ? room !== 'http' : !['store', 'engines', 'sample'].includes(room)))
        .map((module) => `${file}: ${module}`),
    )
    expect(strays).toEqual([])
  })
})

describe('each kind of code has its place', () => {
  test('SQL on the service’s own tables is in the store', () => {
    const strays = server.filter(
      ({ room, text }) =>
        room !== 'store' &&
        /(?<![.\w])sql(<[^>]*>)?`|\.(selectFrom|insertInto|updateTable|deleteFrom)\(|from 'kysely'/.test(withoutComments(text)),
    )
    expect(strays.map(({ file }) => file)).toEqual([])
  })

  test('statements that lock rows beside partitioned tables are known, because they may crash the server', () => {
    const locking = /for (no key )?update|skip locked|\bupdate \w+|delete from|forUpdate|updateTable|deleteFrom/
    const { text: tables } = server.find(({ file }) => file === 'store/partitions/partitioned-tables.ts')!
    const names = Array.from(tables.matchAll(/^ {2}(\w+): '/gm), ([, name]) => name)
    const partitioned = new RegExp(`\\b(${names.join('|')})\\b`)
    const both = server.filter(({ room, text }) => room === 'store' && locking.test(withoutComments(text)) && partitioned.test(withoutComments(text)))
    // Reads events in its last step: docs/decisions/0069-partitions-beside-locks.md.
    expect(both.map(({ file }) => file)).toEqual(['store/webhooks/claim-deliveries.ts'])
  })

  test('model has no behavior', () => {
    const behavior = server.filter(
      ({ room, text }) => room === 'model' && /\bfunction\b|=>(?!\s*(void|Promise))|\bclass\b/.test(withoutComments(text)),
    )
    expect(behavior.map(({ file }) => file)).toEqual([])
  })

  test('file names are unique, so that they need no folder to be understood', () => {
    const byName = Map.groupBy(server, ({ file }) => path.basename(file))
    // The types of a noun in model and its rules in domain share a name.
    const shared = [...byName].filter(([, those]) => those.filter(({ room }) => room !== 'model').length > 1)
    expect(shared.map(([name, those]) => `${name}: ${those.map(({ file }) => file).join(', ')}`)).toEqual([])
  })
})

describe('time, randomness and network go through ports', () => {
  const forbidden = [
    /\bDate\.now\(/,
    /\bnew Date\(\)/,
    /\bMath\.random\(/,
    /\bsetTimeout\(/,
    /\bsetInterval\(/,
    /\bAbortSignal\.timeout\(/,
    /\bfetch\(/,
    /\bperformance\.now\(/,
    /\brandomBytes\(|\brandomUUID\(/,
  ]
  test.each(forbidden)('%s', (pattern) => {
    const users = server.filter(({ room, text }) => room !== 'ports' && pattern.test(withoutComments(text)))
    expect(users.map(({ file }) => file)).toEqual([])
  })

  test('SQL reads the time in one place, which tests can control', () => {
    const migrations = path.join(root, source, 'store/migrations')
    const statements = readdirSync(migrations).map((file) => ({
      file,
      text: readFileSync(path.join(migrations, file), 'utf8').replaceAll(/--.*$/gm, ''),
    }))
    const users = [...statements, ...server.filter(({ room }) => room === 'store')].filter(({ text }) =>
      /\b(now\(\)|current_timestamp|clock_timestamp|statement_timestamp|current_date)\b/i.test(withoutComments(text)),
    )
    // `querypost doctor` also inspects stores that are not migrated yet, and compares their clock with this machine's.
    expect(users.map(({ file }) => file)).toEqual(['0018-store-time.sql', 'store/inspect-store.ts'])
  })

  test('wake-ups are sent by the transaction that creates the work', () => {
    const wakers = server.filter(({ room, text }) => room !== 'store' && /[wW]akeups\.wake\(/.test(withoutComments(text)))
    expect(wakers.map(({ file }) => file)).toEqual([])
  })

  test('the environment is passed in, never read', () => {
    const readers = server.filter(({ text }) => /process\.env\b/.test(withoutComments(text)))
    expect(readers.map(({ file }) => file)).toEqual([])
  })
})

test('tests do not sleep', () => {
  const sleepers = files.filter(
    ({ file, text }) => file.startsWith('apps/server/') && isTest(file) && /\bsetTimeout\(|timers\/promises/.test(text),
  )
  expect(sleepers.map(({ file }) => file)).toEqual([])
})
