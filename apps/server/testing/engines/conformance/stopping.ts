import { expect } from 'vitest'
import { pollPause, shortPause } from '../../poll-pause.ts'
import { errorOf, never, readAll } from './reading.ts'
import type { Suite } from './subject.ts'

/** Tests aborted signals, as from a time limit or a stop request, and readers that go away. */
export function stoppingTests({ engine, sql, it }: Suite): void {
  it('does not begin if the signal has already aborted', async () => {
    expect((await errorOf(engine(), 'select 1', AbortSignal.abort())).kind).toBe('stopped')
  })

  it('stops a statement that never returns', async () => {
    const stop = new AbortController()
    const ended = errorOf(engine(), sql.endless, stop.signal)
    setImmediate(() => stop.abort())
    expect((await ended).kind).toBe('stopped')
    expect((await readAll(engine(), 'select 42')).rows).toEqual([[42]])
  })

  it('stops statements at any moment', async () => {
    const moments = Array.from({ length: 8 }, (_, index) => index)
    const errors = await Promise.all(
      moments.map(async (moment) => {
        const stop = new AbortController()
        const ended = errorOf(engine(), sql.endless, stop.signal)
        for (let count = 0; count < moment; count++) await shortPause()
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

  it('stops a statement when its reader stops early', async () => {
    for (let count = 0; count < 5; count++) {
      const result = await engine().run({ sql: sql.rows(9), signal: never() })
      for await (const _ of result.batches) break
    }
    expect((await readAll(engine(), 'select 42')).rows).toEqual([[42]])
  })

  it('stops a result that is never read', async () => {
    const stop = new AbortController()
    const result = await engine().run({ sql: sql.rows(9), signal: stop.signal })
    stop.abort()
    const reading = (async () => {
      for await (const batch of result.batches) expect(batch.rowCount).toBeGreaterThan(0)
    })()
    await expect(reading).rejects.toMatchObject({ kind: 'stopped' })
  })
}

/** Checks in the server's process list that statements are gone. */
export function processListTests({ engine, subject, sql, it }: Suite): void {
  const count = () => subject().statementsRunning!()

  it('reports a statement as stopped only when the server no longer runs it', async () => {
    while ((await count()) > 0) await pollPause()
    for (const statement of [sql.endless, sql.rows(9)]) {
      const stop = new AbortController()
      const ended = errorOf(engine(), statement, stop.signal)
      while ((await count()) === 0) await pollPause()
      stop.abort()
      expect((await ended).kind).toBe('stopped')
      expect(await count()).toBe(0)
    }
  })

  it('leaves nothing running on the server when its reader goes away', async () => {
    const result = await engine().run({ sql: sql.rows(9), signal: never() })
    for await (const _ of result.batches) break
    expect(await count()).toBe(0)
  })
}
