import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { peakGrowth } from '../api/peak-memory.ts'
import { email, password, type Service, startService } from '../api/service.ts'
import { boundGoal, type Measurement } from '../report.ts'
import { runParts } from '../run-parts.ts'
import { elapsedMs } from '../statistics.ts'
import { watchImportProcess } from './import-memory.ts'
import { type Format, makeFile } from './make-file.ts'

/** Measures the import of one-gigabyte files: the time against DuckDB reading the same file, and the memory. */
export const benchImport = (wanted: string[]): Promise<void> => runParts(benchmark, wanted)

const sizeMb = Number(process.env['BENCH_IMPORT_MB'] ?? 1024)

interface World {
  folder: string
  service: Service
  cookie: string
  databaseId: string
  close(): Promise<void>
}

async function makeWorld(): Promise<World> {
  const folder = await mkdtemp(path.join(tmpdir(), 'querypost-bench-'))
  const service = await startService({ dataDirectory: path.join(folder, 'data') })
  const base = `http://127.0.0.1:${service.port}/app/api`
  const headers = { 'content-type': 'application/json' }
  const session = await fetch(`${base}/session`, { method: 'POST', headers, body: JSON.stringify({ email, password }) })
  const cookie = session.headers.get('set-cookie')!.split(';', 1)[0]!
  const body = JSON.stringify({ name: 'Imports', engine: 'duckdb' })
  const added = await fetch(`${base}/databases`, { method: 'POST', headers: { ...headers, cookie }, body })
  const { id: databaseId } = (await added.json()) as { id: string }
  return {
    folder,
    service,
    cookie,
    databaseId,
    async close() {
      await service.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const measure = (format: Format, isPacked: boolean) => async (world: World): Promise<Measurement[]> => {
  const file = path.join(world.folder, `orders.${format}${isPacked ? '.gz' : ''}`)
  const { rowCount, contentBytes, sizeBytes } = await makeFile({ file, format, sizeMb, isPacked })
  const kind = format === 'csv' ? 'CSV' : 'JSON lines'
  const named = `${Math.round(contentBytes / 1e6)} MB of ${kind}${isPacked ? ', gzip' : ''}`
  const child = watchImportProcess(world.service.pid)
  let tookMs = 0
  const grownMb = await peakGrowth(world.service.pid)(async () => {
    tookMs = await elapsedMs(async () => {
      const table = await send(world, { file, format, sizeBytes })
      if (table.rowCount !== rowCount) throw new Error(`${table.rowCount} of ${rowCount} rows were imported.`)
    })
  })
  const childMb = child.stop()
  const directMs = await elapsedMs(() => readDirectly(world.folder, { file, format }))
  await rm(file)
  return [
    {
      what: `${named}, ${rowCount.toLocaleString('en-US')} rows: sent, read and in place`,
      unit: 'ms',
      ours: tookMs,
      ceiling: { what: 'DuckDB alone, from the same file into a new database', value: directMs },
    },
    {
      what: 'the service’s memory grows by, at its peak',
      unit: 'MB',
      ours: grownMb,
      goal: boundGoal({ value: grownMb, below: 150, unit: 'MB' }),
    },
    {
      what: 'the process that reads it takes, at its peak',
      unit: 'MB',
      ours: childMb,
      goal: boundGoal({ value: childMb, below: 1536, unit: 'MB' }),
    },
  ]
}

async function send(world: World, { file, format, sizeBytes }: { file: string; format: Format; sizeBytes: number }) {
  const search = `?name=orders&format=${format}&ifExists=replace`
  const sending = request({
    host: '127.0.0.1',
    port: world.service.port,
    method: 'POST',
    path: `/app/api/databases/${world.databaseId}/tables${search}`,
    headers: { cookie: world.cookie, 'content-type': 'application/octet-stream', 'content-length': sizeBytes },
  })
  const answered = new Promise<string>((resolve, reject) => {
    sending.on('error', reject).on('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      answer.on('end', () => resolve(text)).on('error', reject)
    })
  })
  await pipeline(createReadStream(file, { highWaterMark: 256 * 1024 }), sending)
  return JSON.parse(await answered) as { rowCount: number }
}

async function readDirectly(folder: string, { file, format }: { file: string; format: Format }): Promise<void> {
  const target = path.join(folder, 'direct.duckdb')
  const instance = await DuckDBInstance.create(target)
  const connection = await instance.connect()
  await connection.run('set threads = 2')
  await connection.run(`create table orders as select * from ${format === 'csv' ? 'read_csv' : 'read_json'}('${file}')`)
  await connection.run('checkpoint')
  connection.closeSync()
  instance.closeSync()
  await rm(target)
}

const benchmark = {
  name: 'import',
  title: 'Files into tables',
  limitMinutes: 15,
  makeWorld,
  parts: { csv: measure('csv', false), jsonl: measure('jsonl', false), gzip: measure('csv', true) },
}
