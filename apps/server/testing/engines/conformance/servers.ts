import { expect } from 'vitest'
import type { Engine } from '../../../src/engines/engine.ts'
import { errorOf, failureOf, never, readAll } from './reading.ts'
import type { Suite } from './subject.ts'

/** Tests for engines whose database is on a server. */

async function expectAnswer(engine: Engine): Promise<void> {
  expect((await readAll(engine, 'select 42')).rows).toEqual([[42]])
}

/** Reads the first rows, does something to the server, and returns the error that reading ends with. */
async function errorMidResult({ engine, sql }: Suite, event: () => Promise<void>) {
  const result = await engine().run({ sql: sql.rows(9), signal: never() })
  let hasHappened = false
  const reading = (async () => {
    for await (const _ of result.batches) {
      if (!hasHappened) await event()
      hasHappened = true
    }
  })()
  return await failureOf(reading, 'a result whose connection is lost')
}

export function lostConnectionTests(suite: Suite): void {
  const { engine, subject, it } = suite
  it('reports a connection lost in the middle of a result and opens a new one', async () => {
    expect((await errorMidResult(suite, () => subject().dropConnections!())).kind).toBe('unreachable')
    await expectAnswer(engine())
  })

  const several = () => Promise.all([1, 2, 3].map((number) => readAll(engine(), `select ${number}`)))

  it('survives idle connections being closed', async () => {
    await several()
    await subject().dropConnections!()
    expect((await several()).map(({ rows }) => rows)).toEqual([[[1]], [[2]], [[3]]])
  })
}

export function restartTests(suite: Suite): void {
  const { engine, subject, it } = suite
  it('recovers when the server restarts', async () => {
    await expectAnswer(engine())
    expect((await errorMidResult(suite, () => subject().restart!())).kind).toBe('unreachable')
    await expectAnswer(engine())
  })
}

export function settingsTests({ subject, sql, it }: Suite): void {
  async function errorsWith(change: { password?: string; port?: number; database?: string }) {
    const other: Engine = subject().openWith!(change)
    try {
      return [
        await errorOf(other, 'select 1'),
        await failureOf(other.test(never()), 'a test'),
        await failureOf(other.describe(never()), 'a description'),
      ]
    } finally {
      await other.close()
    }
  }

  it('reports a wrong password without revealing it', async () => {
    for (const error of await errorsWith({ password: 'not-the-password' })) {
      expect(error.kind).toBe('unreachable')
      expect(error.message).toMatch(/password|authenti|denied/i)
      expect(error.message).not.toContain('not-the-password')
      expect(error.message).not.toContain('127.0.0.1')
    }
  })

  it('reports a missing database', async () => {
    for (const error of await errorsWith({ database: 'no_such_database' })) {
      expect(error.kind).toBe('unreachable')
      expect(error.message).toMatch(/no_such_database|database/i)
    }
  })

  it('reports that nothing listens on a port', async () => {
    // Nothing listens on port 1.
    for (const error of await errorsWith({ port: 1 })) {
      expect(error.kind).toBe('unreachable')
      expect(error.message).toContain('refused')
      expect(error.message).not.toContain('127.0.0.1')
    }
  })

  it('stops running statements when it closes', async () => {
    const other = subject().openWith!({})
    const ended = errorOf(other, sql.endless)
    await other.test(never())
    await other.close()
    expect((await ended).kind).toBe('stopped')
    expect((await errorOf(other, 'select 1')).kind).toBe('stopped')
  })
}
