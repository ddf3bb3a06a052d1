import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import { conformanceSql, engineConformance, errorOf, never, readAll, rowsSql } from '../../../testing/engines/engine-conformance.ts'
import type { DuckdbOptions } from './duckdb-engine.ts'
import { openFixture, writeDatabase, type Fixture } from '../../../testing/engines/duckdb-fixture.ts'

engineConformance({
  name: 'DuckDB',
  sql: {
    manyRows: { sql: `select i, repeat('x', 8000) from range(15000) r(i)`, count: 15_000 },
    types: { bytes: `select cast('\\x00\\xff\\x10' as blob)` },
  },
  open: ({ fixture }) => openFixture(fixture),
})

describe('the DuckDB engine', () => {
  let fixture: Fixture

  async function open(options: Partial<DuckdbOptions> = {}, statements = conformanceSql.fixture) {
    fixture = await openFixture(statements, options)
    return fixture.engine
  }

  afterEach(async () => {
    await fixture.engine.close()
    await fixture.release()
  })

  const select = async (sql: string) => (await readAll(fixture.engine, sql)).rows

  it('counts the rows read from tables on every run', async () => {
    const engine = await open()
    expect(await readAll(engine, 'select * from items')).toMatchObject({ rowsRead: 3, rowsWritten: 0 })
    expect(await readAll(engine, 'select 42')).toMatchObject({ rowsRead: 0, rowsWritten: 0 })
    expect(await readAll(engine, 'select count(*) from items, digits')).toMatchObject({ rowsRead: 13 })
    expect(await readAll(engine, 'select count(*) from items')).toMatchObject({ rowsRead: 0 })
    expect(await readAll(engine, 'select * from digits order by n')).toMatchObject({ rowsRead: 10 })
  })

  it('reuses its processes and closes them when idle', async () => {
    const clock = manualClock()
    const engine = await open({ clock, spareIdleMs: 60_000, maxProcesses: 1 })
    await readAll(engine, 'select 1')
    const pid = fixture.lastPid()
    await clock.advance(59_999)
    await readAll(engine, 'select 2')
    expect(fixture.lastPid()).toBe(pid)
    await clock.advance(60_000)
    await readAll(engine, 'select 3')
    expect(fixture.lastPid()).not.toBe(pid)
  })

  it('removes its folders on close', async () => {
    const engine = await open({ maxProcesses: 2 })
    await Promise.all([readAll(engine, 'select 1'), readAll(engine, 'select 2')])
    expect(await readdir(fixture.temporaryDirectory)).not.toEqual([])
    await engine.close()
    expect(await readdir(fixture.temporaryDirectory)).toEqual([])
  })

  it('serves waiting statements in order and lets one be stopped', async () => {
    const engine = await open({ maxProcesses: 1 })
    const first = await engine.run({ sql: rowsSql(9), signal: never() })
    const stop = new AbortController()
    const leaving = errorOf(engine, 'select 1', stop.signal)
    const order: number[] = []
    const staying = [2, 3].map(async (number) => {
      await readAll(engine, `select ${number}`)
      order.push(number)
    })
    stop.abort()
    expect(await leaving).toMatchObject({ kind: 'stopped' })
    for await (const _ of first.batches) break
    await Promise.all(staying)
    expect(order).toEqual([2, 3])
  })

  it('stops waiting statements when it closes', async () => {
    const engine = await open({ maxProcesses: 1 })
    await engine.run({ sql: rowsSql(9), signal: never() })
    const waiting = errorOf(engine, 'select 1')
    await engine.close()
    expect(await waiting).toMatchObject({ kind: 'stopped' })
    expect(await errorOf(engine, 'select 1')).toMatchObject({ kind: 'stopped' })
  })

  it('frees the process of a stopped result that was never read', async () => {
    const engine = await open({ maxProcesses: 1 })
    const stop = new AbortController()
    await engine.run({ sql: rowsSql(9), signal: stop.signal })
    stop.abort()
    expect(await select('select 42')).toEqual([[42]])
  })

  it('reports a process that dies, and runs the next statement in a new one', async () => {
    const engine = await open({ maxProcesses: 1 })
    const result = await engine.run({ sql: rowsSql(9), signal: never() })
    const killed = fixture.lastPid()
    const reading = (async () => {
      for await (const _ of result.batches) process.kill(killed, 'SIGKILL')
    })()
    await expect(reading).rejects.toMatchObject({ kind: 'failed', message: expect.stringContaining('ended unexpectedly') })
    expect(await select('select 42')).toEqual([[42]])
    expect(fixture.lastPid()).not.toBe(killed)
  })

  it('does not mistake the end of a statement for the end of its process', async () => {
    const engine = await open({ maxProcesses: 1 })
    const stop = new AbortController()
    await readAll(engine, 'select 1', stop.signal)
    const pid = fixture.lastPid()
    stop.abort()
    await errorOf(engine, 'select * from missing')
    await select('select 2')
    expect(fixture.lastPid()).toBe(pid)
  })

  it('reports that a database cannot be opened, without its path, and opens it once it can', async () => {
    const engine = await open()
    const aside = join(fixture.folder, 'aside.duckdb')
    await rename(fixture.file, aside)
    const missing = await errorOf(engine, 'select 1')
    expect(missing.kind).toBe('unreachable')
    expect(missing.message).not.toContain(fixture.folder)
    await expect(engine.test(never())).rejects.toMatchObject({ kind: 'unreachable' })
    await writeFile(fixture.file, 'this is not a database, but it is long enough to look like one '.repeat(1000))
    const corrupt = await errorOf(engine, 'select 1')
    expect(corrupt.kind).toBe('unreachable')
    expect(corrupt.message).not.toContain(fixture.folder)
    await rename(aside, fixture.file)
    expect(await select('select count(*) from digits')).toEqual([[10]])
  })

  it('notices that the file was replaced', async () => {
    await open({ maxProcesses: 1 })
    expect(await select('select count(*) from digits')).toEqual([[10]])
    const next = join(fixture.folder, 'next.duckdb')
    await writeDatabase(next, ['create table digits as select 7 as n'])
    await rename(next, fixture.file)
    expect(await select('select n from digits')).toEqual([[7]])
  })

  it('opens a new sandbox when its connections are used up', async () => {
    await open({ maxProcesses: 1 })
    for (let count = 0; count < 140; count++) expect(await select(`select ${count}`)).toEqual([[count]])
  })

  it('reads data that is not yet checkpointed', async () => {
    await open({}, [
      'set checkpoint_threshold = \'1TB\'',
      'pragma disable_checkpoint_on_shutdown',
      'create table late as select 5 as n',
    ])
    expect(await readdir(fixture.folder)).toContain('sample.duckdb.wal')
    expect(await select('select n from late')).toEqual([[5]])
  })

  it('describes tables with their comments', async () => {
    const engine = await open({ maxProcesses: 1 }, [
      'create table orders (id integer, note varchar)',
      `comment on table orders is ' One row per order. '`,
      `comment on column orders.id is '${'x'.repeat(1001)}'`,
    ])
    const orders = (await engine.describe(never())).find(({ name }) => name === 'orders')!
    expect(orders.comment).toBe('One row per order.')
    expect(orders.columns.map(({ comment }) => comment)).toEqual([`${'x'.repeat(1000)}…`, null])
  })

  it('applies backpressure when nothing reads the result', async () => {
    const engine = await open({ maxProcesses: 1 })
    const result = await engine.run({ sql: rowsSql(8), signal: never() })
    const iterator = result.batches[Symbol.asyncIterator]()
    await iterator.next()
    const written = await bytesWrittenWhenBlocked(fixture.lastPid())
    expect(written).toBeGreaterThan(0)
    expect(written).toBeLessThan(2 * 1024 * 1024)
    await iterator.return?.()
    expect(await select('select 42')).toEqual([[42]])
  })
})

/** The process is blocked once the bytes it has written, as Linux counts them, stop growing. Load on the machine only prolongs the wait. */
async function bytesWrittenWhenBlocked(pid: number): Promise<number> {
  let last = -1
  let unchanged = 0
  while (unchanged < 2000) {
    const now = Number(/wchar: (\d+)/.exec(await readFile(`/proc/${pid}/io`, 'utf8'))![1])
    unchanged = now === last ? unchanged + 1 : 0
    last = now
  }
  return last
}
