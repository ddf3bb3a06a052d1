/** Commits transactions at a steady rate during reads. Runs in a child process. */
import pg from 'pg'
import { answerRequests, startChild } from '../load/child.ts'
import { signIn } from './caller.ts'

export type WriteRequest =
  | ({ kind: 'start'; perSecond: number } & WriteTarget)
  | { kind: 'stop' }

/** Directly to PostgreSQL, or through the service, since an embedded store allows only one process. */
export type WriteTarget = { databaseUrl: string } | ServiceTarget
type ServiceTarget = { port: number; analyticalDatabaseConfigId: string }

/** Commits per second. */
export type WriteAnswer = number

const tickMs = 10
const rows = 64
let stop: (() => Promise<number>) | undefined

async function obey(order: WriteRequest): Promise<WriteAnswer> {
  if (order.kind === 'stop') return (await stop?.()) ?? 0
  const { write, end } = 'databaseUrl' in order ? await toPostgres(order.databaseUrl) : await throughService(order)
  stop = keepWriting({ perSecond: order.perSecond, write, end })
  return 0
}

function keepWriting(options: { perSecond: number; write(number: number): Promise<void>; end(): Promise<void> }) {
  const startedMs = performance.now()
  const underWay = new Set<Promise<void>>()
  let begun = 0
  let committed = 0
  const timer = setInterval(() => {
    const due = ((performance.now() - startedMs) / 1000) * options.perSecond
    // Don't build up a queue if the store can't keep up.
    for (; begun < due && underWay.size < rows; begun++) {
      const writing = options
        .write(begun % rows)
        .then(() => void committed++)
        .finally(() => underWay.delete(writing))
      underWay.add(writing)
    }
    begun = Math.max(begun, Math.floor(due))
  }, tickMs)
  return async () => {
    clearInterval(timer)
    const perSecond = committed / ((performance.now() - startedMs) / 1000)
    await Promise.all(underWay)
    await options.end()
    return perSecond
  }
}

async function toPostgres(databaseUrl: string) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 8 })
  await pool.query('create table if not exists bench_writes (id int primary key, count int not null)')
  await pool.query('insert into bench_writes select id, 0 from generate_series(0, $1) as id on conflict do nothing', [rows - 1])
  const text = 'update bench_writes set count = count + 1 where id = $1'
  return {
    write: async (id: number) => void (await pool.query({ name: 'write', text, values: [id] })),
    end: () => pool.end(),
  }
}

async function throughService({ port, analyticalDatabaseConfigId }: ServiceTarget) {
  const pages = await signIn({ port })
  return {
    write: async (number: number) =>
      void (await pages.post('/app/api/queries', { sql: `select ${number}`, analyticalDatabaseConfigId })),
    end: async () => {},
  }
}

export const startWriteLoad = () => startChild<WriteRequest, WriteAnswer>(new URL(import.meta.url))

if (process.send && process.argv[1] === import.meta.filename) answerRequests(obey)
