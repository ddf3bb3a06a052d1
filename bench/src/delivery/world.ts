import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { makeAuthority, startPostgresServer } from '@querypost/server/testing'
import { type Service, startService } from '../api/service.ts'
import type { Child } from '../load/child.ts'
import { addEndpoint, type BenchEndpoint } from './endpoints.ts'
import { parentOf } from './processor-time.ts'
import { endpointUrl, hangingUrl, type ReceiverAnswer, type ReceiverRequest, startReceivers } from './receiver.ts'

/** The shared environment: a durable PostgreSQL with the service's tables, the receivers and their certificate authority. */
export interface World {
  folder: string
  postgres: { url: string; urlOf(database: string): string; pid: number }
  receivers: Child<ReceiverRequest, ReceiverAnswer> & { port: number }
  /** PEM of the authority that signed the receivers' certificate. */
  authority: string
  sql: pg.Pool
  addEndpoints(count: number, kind?: 'healthy' | 'hanging'): Promise<BenchEndpoint[]>
  /** Secrets of all endpoints, by number. */
  secrets(): string[]
  /** Starts a process of the service as an operator does. */
  startProcess(role: 'api' | 'worker' | 'all'): Promise<Service>
  /** Runs however the benchmark ends. */
  atEnd(stop: () => unknown): void
  close(): Promise<void>
}

export async function makeWorld(): Promise<World> {
  const folder = await mkdtemp(path.join(tmpdir(), 'querypost-bench-'))
  const stops: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })]
  const close = async () => {
    for (const stop of stops.splice(0).toReversed()) await stop()
  }
  try {
    const postgres = await startCountingPostgres()
    stops.push(postgres.stop)
    const sql = new pg.Pool({ connectionString: postgres.url, max: 2 })
    // They exit with it.
    sql.on('error', () => {})
    stops.push(() => sql.end())

    const authority = await makeAuthority('Querypost bench authority')
    const receivers = startReceivers()
    stops.push(receivers.stop)
    const certificate = await authority.issue({ names: ['127.0.0.1'] })
    const { port } = await receivers.ask({ act: 'listen', ...certificate })
    const authorityFile = path.join(folder, 'authority.pem')
    await writeFile(authorityFile, authority.certificate)

    const startProcess = async (role: 'api' | 'worker' | 'all') => {
      const service = await startService({
        dataDirectory: path.join(folder, 'data'),
        databaseUrl: postgres.url,
        environment: {
          ROLE: role,
          NODE_EXTRA_CA_CERTS: authorityFile,
          WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
        },
      })
      let isStopped = false
      const stop = async () => {
        if (isStopped) return
        isStopped = true
        await service.stop()
      }
      stops.push(stop)
      return { ...service, stop }
    }
    // The first start creates the tables.
    await (await startProcess('worker')).stop()
    await sql.query('create extension pg_stat_statements')
    const backend = await sql.query<{ pid: number }>('select pg_backend_pid() as pid')

    const endpoints: BenchEndpoint[] = []
    return {
      folder,
      postgres: { url: postgres.url, urlOf: postgres.urlOf, pid: parentOf(backend.rows[0]!.pid) },
      receivers: { ...receivers, port },
      authority: authority.certificate,
      sql,
      async addEndpoints(count, kind = 'healthy') {
        const from = endpoints.length
        for (let number = from; number < from + count; number++) {
          const url = kind === 'healthy' ? endpointUrl(port, number) : hangingUrl(port, number)
          endpoints.push(await addEndpoint(sql, { number, url }))
        }
        return endpoints.slice(from)
      },
      secrets: () => endpoints.map(({ secret }) => secret),
      startProcess,
      atEnd: (stop) => stops.push(stop),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Loads pg_stat_statements, which is only possible at the start of the server. */
async function startCountingPostgres() {
  const postgres = await startPostgresServer({ durable: true })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`alter system set shared_preload_libraries = 'pg_stat_statements'`)
  await client.end()
  await postgres.interrupt('shutdown')
  await postgres.resume()
  return postgres
}
