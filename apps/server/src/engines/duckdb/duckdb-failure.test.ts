import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorOf, readAll } from '../../../testing/engines/engine-conformance.ts'
import { excerptAt } from '../error-excerpt.ts'
import { positionAt } from './duckdb-error-position.ts'
import { describeFailure, noSpaceToSpill } from './duckdb-failure.ts'
import { type Fixture, openFixture } from '../../../testing/engines/duckdb-fixture.ts'

describe('the position of an error', () => {
  let fixture: Fixture

  beforeAll(async () => {
    fixture = await openFixture([
      'create table numbers as select range as n from range(100000)',
      'create table base (a integer)',
      'create view broken as select /* far from the beginning */ a from base',
      'alter table base rename a to b',
    ])
  })
  afterAll(async () => {
    await fixture.engine.close()
    await fixture.release()
  })

  test.each([
    ['selec 1', 1, 1, 'Parser Error: syntax error at or near "selec"\n\nLINE 1: selec 1\n        ^'],
    ["select 'ä😀',\n  n,\n  missing\nfrom numbers", 3, 3, /^Binder Error: .*\n\nLINE 3: {3}missing\n {10}\^$/s],
    ['select 1\nfrom main.nowhere', 2, 6, /^Catalog Error: Table with name nowhere does not exist/],
    ['select "Nö" from numbers', 1, 8, /^Binder Error/],
    ['select n, count(*) from numbers', 1, 8, /must appear in the GROUP BY clause/],
    ["select cast('x' || n as integer) from numbers", 1, 8, /^Conversion Error/],
  ])('%s', async (sql, line, column, message) => {
    const error = await errorOf(fixture.engine, sql)
    expect(error.position).toEqual({ line, column })
    expect(error.message).toMatch(message)
  })

  test.each([
    'select * from broken',
    "select error('on purpose: {\"exception_message\": \"no\", \"position\": \"3\"}')",
    'select 1; select 2',
  ])('is null: %s', async (sql) => {
    const error = await errorOf(fixture.engine, sql)
    expect(error.position).toBeNull()
    expect(error.message).not.toMatch(/^\{|Error: \{/)
  })

  test('reports progress before the first row', async () => {
    const reported = Promise.withResolvers<number>()
    const stop = new AbortController()
    const sql = 'select count(*) from numbers a, numbers b where sin(a.n * b.n) > 2'
    const running = fixture.engine.run({ sql, signal: stop.signal, onProgress: reported.resolve })
    const percent = await Promise.race([reported.promise, running])
    expect(percent).toBeGreaterThanOrEqual(0)
    expect(percent).toBeLessThanOrEqual(100)
    stop.abort()
    await expect(running).rejects.toMatchObject({ kind: 'stopped' })
  })
})

describe('a position in the SQL', () => {
  test('is counted in lines and in UTF-16 code units, from 1', () => {
    const sql = 'select é,\n 😀, x'
    expect(positionAt(sql, { offsetBytes: Buffer.byteLength('select é,\n 😀, '), name: 'x' })).toEqual({ line: 2, column: 6 })
    expect(positionAt(sql, { offsetBytes: 0, name: undefined })).toEqual({ line: 1, column: 1 })
    expect(positionAt(sql, { offsetBytes: Buffer.byteLength(sql), name: undefined })).toEqual({ line: 2, column: 7 })
  })

  test('is null beyond the text, or where the name does not appear', () => {
    expect(positionAt('select a', { offsetBytes: 9, name: undefined })).toBeNull()
    expect(positionAt('select a', { offsetBytes: -1, name: undefined })).toBeNull()
    expect(positionAt('select a', { offsetBytes: 7, name: 'b' })).toBeNull()
    expect(positionAt('select "A ""x"""', { offsetBytes: 7, name: 'a "x"' })).toEqual({ line: 1, column: 8 })
  })

  test('is shown in the middle of a long line', () => {
    const sql = `select ${'a'.repeat(200)}, b, ${'c'.repeat(200)}`
    const [line, caret] = excerptAt(sql, { line: 1, column: 210 }).split('\n')
    expect(line).toMatch(/^LINE 1: …a+, b, c+…$/)
    expect(line![caret!.length - 1]).toBe('b')
    expect(line!.length).toBeLessThan(100)
  })
})

test('a variant that nests too deeply fails with a reason, and the next statement runs', async () => {
  const fixture = await openFixture([])
  const deep = `(repeat('[', 8000) || repeat(']', 8000))::json::variant`
  expect((await errorOf(fixture.engine, `select ${deep} as v`)).message).toMatch(/nested too deeply/)
  expect((await readAll(fixture.engine, 'select 1')).rows).toEqual([[1]])
  await fixture.engine.close()
  await fixture.release()
})

test('reports a full disk under the spilled data, without its path', () => {
  const error = new Error('IO Error: Could not write to file "/data/spill/x.tmp" (wanted=1, wrote=0): No space left on device')
  expect(describeFailure(error, { paths: [] })).toMatchObject({ errorKind: 'failed', message: noSpaceToSpill, isSpent: true })
  expect(describeFailure(new Error('IO Error: other'), { paths: [] })).toMatchObject({ message: 'IO Error: other' })
})
