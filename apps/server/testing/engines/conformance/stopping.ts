import { expect, it } from 'vitest'
import { giveWay } from '../../give-way.ts'
import { errorOf, never, readAll } from './reading.ts'
import type { Suite } from './subject.ts'

/** A signal that aborts, as at a run's time limit or by a person's wish, and readers that go away. */
export function stoppingTests({ engine, sql }: Suite): void {
  it('does not begin when the signal has aborted already', async () => {
    expect((await errorOf(engine(), 'select 1', AbortSignal.abort())).kind).toBe('stopped')
  })

  it('stops a statement that never answers', async () => {
    const stop = new AbortController()
    const ended = errorOf(engine(), sql.endless, stop.signal)
    setImmediate(() => stop.abort())
    expect((await ended).kind).toBe('stopped')
    expect((await readAll(engine(), 'select 42')).rows).toEqual([[42]])
  })

  it('stops statements at whatever moment', async () => {
    const moments = Array.from({ length: 8 }, (_, index) => index)
    const errors = await Promise.all(
      moments.map(async (moment) => {
        const stop = new AbortController()
        const ended = errorOf(engine(), sql.endless, stop.signal)
        for (let count = 0; count < moment; count++) await giveWay()
        stop.abort()
        return await ended
      }),
    )
    expect(errors.map(({ kind }) => kind)).toEqual(moments.map(() => 'stopped'))
    expect((await readAll(engine(), 'select 42')).rows).toEqual([[42]])
  })

  it('stops a statement while its rows are read', async () => {
    const stop = new AbortController()
    const result = await engine().run({ sql: sql.rows(9), signal: stop.signal })
    const reading = (async () => {
      for await (const _ of result.batches) stop.abort()
    })()
    await expect(reading).rejects.toMatchObject({ kind: 'stopped' })
    expect((await readAll(engine(), 'select 42')).rows).toEqual([[42]])
  })

  it('stops a statement whose rows are not wanted any more', async () => {
    for (let count = 0; count < 5; count++) {
      const result = await engine().run({ sql: sql.rows(9), signal: never() })
      for await (const _ of result.batches) break
    }
    expect((await readAll(engine(), 'select 42')).rows).toEqual([[42]])
  })

  it('stops a result that nobody reads', async () => {
    const stop = new AbortController()
    const result = await engine().run({ sql: sql.rows(9), signal: stop.signal })
    stop.abort()
    const reading = (async () => {
      for await (const batch of result.batches) expect(batch.rowCount).toBeGreaterThan(0)
    })()
    await expect(reading).rejects.toMatchObject({ kind: 'stopped' })
  })
}

/** The server's own list of processes tells whether a statement is gone. */
export function processListTests({ engine, subject, sql }: Suite): void {
  const count = () => subject().statementsRunning!()

  it('has stopped a statement at the server when it says so', async () => {
    while ((await count()) > 0) await giveWay()
    for (const statement of [sql.endless, sql.rows(9)]) {
      const stop = new AbortController()
      const ended = errorOf(engine(), statement, stop.signal)
      while ((await count()) === 0) await giveWay()
      stop.abort()
      expect((await ended).kind).toBe('stopped')
      expect(await count()).toBe(0)
    }
  })

  it('leaves nothing running at the server when its reader goes', async () => {
    const result = await engine().run({ sql: sql.rows(9), signal: never() })
    for await (const _ of result.batches) break
    expect(await count()).toBe(0)
  })
}
