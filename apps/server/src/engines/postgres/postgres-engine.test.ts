import { engineConformance } from '../../../testing/engines/engine-conformance.ts'
import { pollPause } from '../../../testing/poll-pause.ts'
import { reader, startPostgresSubject } from '../../../testing/engines/postgres-subject.ts'

engineConformance({
  name: 'PostgreSQL',
  abilities: ['statementsRunning', 'dropConnections', 'restart', 'openWith'],
  sql: {
    manyRows: { sql: `select i, repeat('x', 8000) from generate_series(0, 14999) i`, count: 15_000 },
    hexOfText: `upper(encode(convert_to(v, 'UTF8'), 'hex'))`,
  },
  async open({ fixture }) {
    const subject = await startPostgresSubject(fixture)
    const count = async (condition: string) => {
      const [row] = await subject.admin(
        `select count(*)::integer as count from pg_stat_activity where usename = '${reader.user}' and ${condition}`,
      )
      return row!['count'] as number
    }
    return {
      engine: subject.open(),
      statementsRunning: () => count(`state = 'active'`),
      async dropConnections() {
        await subject.admin(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${reader.user}'`)
        while ((await count('true')) > 0) await pollPause()
      },
      async restart() {
        await subject.server.interrupt('shutdown')
        await subject.server.resume()
      },
      openWith: ({ password = reader.password, ...to }) => subject.open({ password, to }),
      release: () => subject.release(),
    }
  },
})
