import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../src/store/db.ts'

/** Inserts rows with values of their own, whatever columns the table has. For databases whose checks and references are off. */
export async function fillTable(
  db: Db,
  { table, count, columns }: { table: string; count: number; columns: Record<string, RawBuilder<unknown>> },
): Promise<void> {
  const { rows } = await sql<{ name: string; type: string }>`
    select attname as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attnotnull and not atthasdef and attidentity = ''
      and attname <> all (${Object.keys(columns)}::text[])`.execute(db)
  const required = rows.map(({ name, type }) => [name, valueOf(type)] as const)
  const all = [...required, ...Object.entries(columns)]
  await sql`
    insert into ${sql.table(table)} (${sql.join(all.map(([name]) => sql.ref(name)))})
    select ${sql.join(all.map(([, value]) => value))} from generate_series(1, ${count}::integer) as number`.execute(db)
}

function valueOf(type: string): RawBuilder<unknown> {
  const values: Record<string, RawBuilder<unknown>> = {
    text: sql`gen_random_uuid()::text`,
    uuid: sql`gen_random_uuid()`,
    'timestamp with time zone': sql`now()`,
    jsonb: sql`'{}'::jsonb`,
    boolean: sql`true`,
    integer: sql`number`,
    bigint: sql`number`,
    bytea: sql`''::bytea`,
    'text[]': sql`array[]::text[]`,
  }
  const value = values[type]
  if (!value) throw new Error(`There is no value for a column of type ${type}.`)
  return value
}
