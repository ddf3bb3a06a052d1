import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

/** Habits of this code base that a reviewer should not have to look for. */
const source = fileURLToPath(new URL('.', import.meta.url))
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, room: file.split(path.sep)[0]!, text: readFileSync(path.join(source, file), 'utf8') }))
const isTest = (file: string) =>
  /\.test\.ts$|^testing\/|\/fixture\.ts$|\/conformance\.ts$|^engines\/conformance|\/test-[\w-]+\.ts$/.test(file)
const ours = files.filter(({ file }) => !isTest(file))

/** What each room may import besides itself: downwards only. */
const below: Record<string, string[]> = {
  ports: [],
  engines: ['ports'],
  results: ['ports', 'engines'],
  // The store speaks of the domain's types; it calls none of its functions (see the next test).
  store: ['ports', 'engines', 'domain'],
  work: ['ports', 'store'],
  domain: ['ports', 'engines', 'results', 'store', 'work'],
  workers: ['ports', 'engines', 'results', 'store', 'work', 'domain'],
  http: ['ports', 'engines', 'results', 'store', 'domain'],
  sample: ['ports', 'store', 'domain'],
}

function imports({ file, text }: { file: string; text: string }) {
  return [...text.matchAll(/^(import|export)( type)? [^'"]*?from '(\.[^']+)'/gms)].map(([statement, , type, target]) => ({
    statement: statement.replaceAll(/\s+/g, ' '),
    isTypeOnly: type !== undefined || /^(import|export) \{( ?type [^,}]+,? ?)+\} from/.test(statement.replaceAll(/\s+/g, ' ')),
    target: path.join(path.dirname(file), target!),
    room: path.join(path.dirname(file), target!).split(path.sep)[0]!,
  }))
}

describe('imports', () => {
  test('point downwards', () => {
    const upwards = ours
      .filter(({ room }) => room in below)
      .flatMap((from) =>
        imports(from)
          .filter(({ room, target }) => room !== from.room && !below[from.room]!.includes(room) && target !== 'services.ts')
          .map(({ statement }) => `${from.file}: ${statement}`),
      )
    expect(upwards).toEqual([])
  })

  test('the store, engines and results take only types from above', () => {
    const calls = ours
      .filter(({ room }) => ['store', 'engines', 'results', 'ports'].includes(room))
      .flatMap((from) =>
        imports(from)
          .filter(({ room, isTypeOnly }) => ['domain', 'http', 'work', 'workers'].includes(room) && !isTypeOnly)
          .map(({ statement }) => `${from.file}: ${statement}`),
      )
    expect(calls).toEqual([])
  })

  test('Fastify stays in http, database drivers in store and engines', () => {
    const strays = ours.flatMap(({ file, room, text }) =>
      [...text.matchAll(/from '((?:@fastify\/|fastify|pg|@electric-sql|@duckdb)[^']*)'/g)]
        .map(([, module]) => module!)
        .filter((module) =>
          module.includes('fastify') ? room !== 'http' && file !== 'app.ts' : !['store', 'engines', 'sample'].includes(room),
        )
        .map((module) => `${file}: ${module}`),
    )
    expect(strays).toEqual([])
  })
})

describe('time, chance and network come through ports', () => {
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
    const users = ours.filter(({ room, text }) => room !== 'ports' && pattern.test(withoutComments(text)))
    expect(users.map(({ file }) => file)).toEqual([])
  })

  test('SQL asks for the time in one place, which tests can set', () => {
    const sql = readdirSync(path.join(source, 'store/migrations')).map((file) => ({
      file,
      text: readFileSync(path.join(source, 'store/migrations', file), 'utf8').replaceAll(/--.*$/gm, ''),
    }))
    const users = [...sql, ...ours.filter(({ room }) => room === 'store')].filter(({ text }) =>
      /\b(now\(\)|current_timestamp|clock_timestamp|statement_timestamp|current_date)\b/i.test(withoutComments(text)),
    )
    expect(users.map(({ file }) => file)).toEqual(['0018-store-time.sql'])
  })

  test('wake-ups are sent by the transaction that gives somebody work, not by hand', () => {
    const wakers = ours.filter(({ room, text }) => room !== 'store' && /[wW]akeups\.wake\(/.test(withoutComments(text)))
    expect(wakers.map(({ file }) => file)).toEqual([])
  })

  test('nobody reads the environment: it is given', () => {
    const readers = ours.filter(({ text }) => /process\.env\b/.test(withoutComments(text)))
    expect(readers.map(({ file }) => file)).toEqual([])
  })
})

test('tests do not sleep', () => {
  const sleepers = files.filter(
    ({ file, text }) => file.endsWith('.test.ts') && file !== 'habits.test.ts' && /\bsetTimeout\(|timers\/promises/.test(text),
  )
  expect(sleepers.map(({ file }) => file)).toEqual([])
})

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/^\s*\/\/.*$/gm, '')
}
