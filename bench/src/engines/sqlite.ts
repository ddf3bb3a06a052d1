import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { rowCount, rowsSql, type Warehouse } from './warehouse.ts'

/** `folder`: the service's folder for files of the operator. */
export async function startSqliteWarehouse({ folder }: { folder: string }): Promise<Warehouse> {
  await mkdir(folder, { recursive: true })
  const file = path.join(folder, 'events.sqlite')
  const database = new DatabaseSync(file)
  database.exec(`
    create table events (id integer, amount real, price decimal(12, 2), name text, happened_at datetime);
    with recursive numbers(i) as (select 0 union all select i + 1 from numbers where i + 1 < ${rowCount})
    insert into events
    select i, i * 0.5, (i % 100000) / 100.0, 'customer ' || i, datetime('2024-01-01', i || ' seconds') from numbers`)
  return {
    name: 'SQLite',
    configuration: { engine: 'sqlite', settings: { file: 'events.sqlite' } },
    bare: {
      what: 'node:sqlite iterating over rows, in this process',
      async read() {
        let count = 0
        for (const _ of database.prepare(rowsSql).iterate()) count++
        return count
      },
    },
    async stop() {
      database.close()
    },
  }
}
