import { sql } from 'kysely'
import { dropVisibleSchema } from './access/make-visible-schema.ts'
import type { Db, Tx } from './db.ts'
import { withoutDeadline } from './prepared.ts'
import { readTableNames } from './read-table-facts.ts'

const rowsAtOnce = 500

/** The name of something that is in the database; undefined if it is empty. Extensions don't count. */
export async function findAnyRelation(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', namespace.nspname, relation.relname) as name
    from pg_class as relation join pg_namespace as namespace on namespace.oid = relation.relnamespace
    where namespace.nspname <> 'information_schema' and namespace.nspname not like 'pg\\_%'
      and not exists (select from pg_depend where objid = relation.oid and deptype = 'e')
    order by 1 limit 1`.execute(db)
  return rows[0]?.name
}

/**
 * Copies every row of one store into another with the same schema and no rows. Foreign keys are dropped and created again, which proves
 * them for all rows; triggers don't fire. Only the owner of the tables may do this, not only a superuser.
 */
export async function copyRows({ from, to, signal }: { from: Db; to: Db; signal: AbortSignal }): Promise<void> {
  const names = await readTableNames(from)
  await to.transaction().execute(async (tx) => {
    const foreignKeys = await readForeignKeys(tx)
    for (const { table, name } of foreignKeys) await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(tx)
    for (const name of names) await sql`alter table ${sql.table(name)} disable trigger user`.execute(tx)
    for (const name of names) await copyTable({ from, tx, name, signal })
    for (const name of names) await sql`alter table ${sql.table(name)} enable trigger user`.execute(tx)
    for (const { table, name, definition } of foreignKeys) {
      signal.throwIfAborted()
      await sql`${withoutDeadline} alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(tx)
    }
  })
}

/** As JSON, which keeps every value as PostgreSQL prints it. The partitions of the two stores may differ. */
async function copyTable({ from, tx, name, signal }: { from: Db; tx: Tx; name: string; signal: AbortSignal }): Promise<void> {
  const table = sql.table(name)
  const columns = sql.join((await readColumns(tx, name)).map((column) => sql.ref(column)))
  // Migrations have written some rows, such as their own names.
  await sql`delete from ${table}`.execute(tx)
  for (const part of await readParts(from, name)) {
    for (let after: string | undefined = '(0,0)'; after !== undefined; ) {
      signal.throwIfAborted()
      const { rows }: { rows: { place: string; json: string }[] } = await sql<{ place: string; json: string }>`
        select ctid::text as place, row_to_json(each)::text as json from ${sql.table(part)} as each
        where ctid > ${after}::tid order by ctid limit ${rowsAtOnce}`.execute(from)
      after = rows.at(-1)?.place
      if (rows.length === 0) continue
      const json = `[${rows.map((row) => row.json).join()}]`
      await sql`
        insert into ${table} (${columns}) overriding system value
        select ${columns} from json_populate_recordset(null::${table}, ${json}::json)`.execute(tx)
    }
  }
}

/** The partitions of a table, whose rows have places of their own; the table itself if it has none. */
async function readParts(db: Db, name: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on oid = inhrelid where inhparent = ${name}::regclass order by 1`.execute(db)
  return rows.length > 0 ? rows.map((row) => row.name) : [name]
}

/** Removes everything that a migration creates. For a database that was empty before. */
export async function removeTables(db: Db): Promise<void> {
  await dropVisibleSchema(db)
  for (const name of await readTableNames(db)) await sql`drop table ${sql.table(name)} cascade`.execute(db)
  const { rows } = await sql<{ statement: string }>`
    select format('drop sequence %I', relname) as statement from pg_class
    where relkind = 'S' and relnamespace = current_schema()::regnamespace
    union all
    select format('drop routine %s cascade', oid::regprocedure) from pg_proc
    where pronamespace = current_schema()::regnamespace
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`.execute(db)
  for (const { statement } of rows) await sql.raw(statement).execute(db)
}

/** Those of partitions go with that of their table. */
async function readForeignKeys(tx: Tx): Promise<{ table: string; name: string; definition: string }[]> {
  const { rows } = await sql<{ table: string; name: string; definition: string }>`
    select relation.relname as table, conname as name, pg_get_constraintdef(foreign_key.oid) as definition
    from pg_constraint as foreign_key join pg_class as relation on relation.oid = foreign_key.conrelid
    where contype = 'f' and conparentid = 0 and relation.relnamespace = current_schema()::regnamespace
    order by 1, 2`.execute(tx)
  return rows
}

/** Without generated ones. */
async function readColumns(tx: Tx, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    order by attnum`.execute(tx)
  return rows.map(({ name }) => name)
}
