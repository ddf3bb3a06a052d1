import pg from 'pg'
import { expect, test } from 'vitest'
import { pollPause } from '../poll-pause.ts'
import { startPostgresServer } from './postgres-server.ts'

test('a server that has recovered from a crash tells so when it stops, with the statement', async () => {
  const server = await startPostgresServer()
  const client = new pg.Client(server.url)
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const waiting = expect(client.query('select pg_sleep(300) as crashes')).rejects.toBeInstanceOf(Error)
  await until(server.url, `select from pg_stat_activity where pid = ${rows[0]!.pid} and wait_event = 'PgSleep'`)
  const checkpointer = await read(server.url, "select pid from pg_stat_activity where backend_type = 'checkpointer'")
  process.kill(rows[0]!.pid, 'SIGSEGV')
  await waiting
  await until(server.url, `select from pg_stat_activity where backend_type = 'checkpointer' and pid <> ${String(checkpointer[0]!['pid'])}`)
  await expect(server.stop()).rejects.toThrow(/PostgreSQL has crashed:[^]*signal 11[^]*pg_sleep\(300\) as crashes/)
})

async function read(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

/** Nobody can connect while the server recovers. */
async function until(url: string, sql: string): Promise<void> {
  while ((await read(url, sql).catch(() => [])).length === 0) await pollPause()
}
