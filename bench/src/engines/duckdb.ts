import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { rowCount, rowsSql, type Warehouse } from './warehouse.ts'

/** `folder`: the service's folder for DuckDB files of the operator. */
export async function startDuckdbWarehouse({ folder }: { folder: string }): Promise<Warehouse> {
  await mkdir(folder, { recursive: true })
  const own = await mkdtemp(path.join(tmpdir(), 'querypost-bench-duckdb-'))
  // A separate file: only one process can write a file, and the service has the other one open.
  for (const file of [path.join(folder, 'events.duckdb'), path.join(own, 'events.duckdb')]) {
    const made = await DuckDBInstance.create(file)
    const connection = await made.connect()
    await connection.run(`
      create table events as
      select i as id, i * 0.5::double as amount, ((i % 100000) / 100)::decimal(12, 2) as price, 'customer ' || i as name,
        timestamp '2024-01-01' + to_seconds(i) as happened_at
      from range(${rowCount}) as r (i)`)
    connection.closeSync()
    made.closeSync()
  }
  const instance = await DuckDBInstance.create(path.join(own, 'events.duckdb'), { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  return {
    name: 'DuckDB',
    configuration: { engine: 'duckdb', settings: { file: 'events.duckdb' } },
    bare: {
      what: '@duckdb/node-api streaming chunks, each made into rows, in this process',
      async read() {
        const result = await connection.stream(rowsSql)
        let count = 0
        for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
          count += chunk.getRows().length
        }
        return count
      },
    },
    async stop() {
      connection.closeSync()
      instance.closeSync()
      await rm(own, { recursive: true, force: true })
    },
  }
}
