import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { backslashStringPlaces, engineConformance, errorOf, readAll } from '../../../testing/engines/engine-conformance.ts'
import { startProxy } from '../../../testing/engines/postgres-proxy.ts'
import { type PostgresSubject, reader, startPostgresSubject } from '../../../testing/engines/postgres-subject.ts'
import { pollPause } from '../../../testing/poll-pause.ts'
import { openRedshiftEngine } from './redshift-engine.ts'

/** PostgreSQL that says it is Redshift, and reads backslashes in strings as Redshift does. */
async function startSimulated(fixture: string[]) {
  const subject = await startPostgresSubject(fixture)
  await subject.admin(`alter role ${reader.user} set standard_conforming_strings = off`)
  const proxy = await startProxy({ port: subject.port, replace: { text: 'compiled by gcc', by: 'Redshift 1.0.12' } })
  return { subject, proxy }
}

engineConformance({
  name: 'Redshift, simulated by PostgreSQL',
  abilities: ['statementsRunning', 'dropConnections', 'restart', 'openWith'],
  sql: {
    manyRows: { sql: `select i, repeat('x', 8000) from generate_series(0, 14999) i`, count: 15_000 },
    textPlaces: backslashStringPlaces,
    hexOfText: `upper(encode(convert_to(v, 'UTF8'), 'hex'))`,
    types: {
      bytes: `select cast('\\\\x00ff10' as bytea)`,
      arrayOfTexts: `select array['a "b"', 'c\\\\d', 'e,f', '', 'NULL']`,
    },
  },
  async open({ fixture }) {
    const { subject, proxy } = await startSimulated(fixture)
    const count = async (condition: string) => {
      const [row] = await subject.admin(
        `select count(*)::integer as count from pg_stat_activity where usename = '${reader.user}' and ${condition}`,
      )
      return row!['count'] as number
    }
    const open = (change = {}) => openRedshiftEngine(subject.options(change))
    return {
      engine: open({ to: { port: proxy.port } }),
      statementsRunning: () => count(`state = 'active'`),
      async dropConnections() {
        await subject.admin(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${reader.user}'`)
        while ((await count('true')) > 0) await pollPause()
      },
      async restart() {
        await subject.server.interrupt('shutdown')
        await subject.server.resume()
      },
      openWith: ({ password = reader.password, ...to }) => open({ password, to: { port: proxy.port, ...to } }),
      async release() {
        await proxy.close()
        await subject.release()
      },
    }
  },
})

describe('a Redshift server that was added as PostgreSQL', () => {
  let subject: PostgresSubject
  let proxy: Awaited<ReturnType<typeof startProxy>>
  beforeAll(async () => ({ subject, proxy } = await startSimulated([])))
  afterAll(async () => {
    await proxy.close()
    await subject.release()
  })

  test('rejects strings with backslashes, which it would read differently', async () => {
    const engine = subject.open({ to: { port: proxy.port } })
    const error = await errorOf(engine, String.raw`select '\', ' or true --'`)
    expect(error).toMatchObject({ kind: 'refused', message: expect.stringContaining('as Amazon Redshift') as string })
    expect((await readAll(engine, "select 'plain'")).rows).toEqual([['plain']])
  })
})
