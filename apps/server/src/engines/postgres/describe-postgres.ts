import type { Table } from '../engine.ts'
import { commentOf } from '../table-comment.ts'
import type { ServerVersion } from './version.ts'

/** More than a person or a model can look through. Further tables, in alphabetical order, are left out. */
export const maxTables = 5000

/**
 * The tables and views that the user may read, outside the system schemas. A partitioned table represents its partitions.
 * Estimates come from the planner, which has none until a table is first analyzed.
 */
export function tablesSql({ major, isRedshift }: ServerVersion): string {
  const hasPartitions = !isRedshift && major >= 12
  const canRead = isRedshift ? "has_table_privilege(c.oid, 'select')" : "has_any_column_privilege(c.oid, 'select')"
  const unknownEstimate = major >= 14 ? 'c.reltuples < 0' : 'c.reltuples <= 0'
  return `
  select t.schema, t.name, t.kind, t.row_estimate,
    a.attname::text, pg_catalog.format_type(a.atttypid, a.atttypmod), not a.attnotnull,
    pg_catalog.obj_description(t.oid, 'pg_class'), pg_catalog.col_description(t.oid, a.attnum)
  from (
    select c.oid, n.nspname::text as schema, c.relname::text as name,
      case when c.relkind in ('v', 'm') then 'view' else 'table' end as kind,
      case
        when c.relkind = 'v' then null
        ${hasPartitions ? `when c.relkind = 'p' then (
          select case when bool_or(leaf.reltuples >= 0) then sum(greatest(leaf.reltuples, 0))::bigint end
          from pg_catalog.pg_partition_tree(c.oid) part join pg_catalog.pg_class leaf on leaf.oid = part.relid
          where part.isleaf)` : ''}
        when ${unknownEstimate} then null
        else c.reltuples::bigint
      end as row_estimate
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f')
      and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_%'
      and pg_catalog.has_schema_privilege(n.oid, 'usage')
      and pg_catalog.${canRead}
      ${hasPartitions ? 'and not c.relispartition' : ''}
    order by n.nspname, c.relname
    limit ${maxTables}
  ) t
  left join pg_catalog.pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
  order by t.schema, t.name, a.attnum`
}

type Row = [
  schema: string, name: string, kind: 'table' | 'view', rowEstimate: number | string | null,
  column: string | null, type: string, nullable: boolean, tableComment: string | null, columnComment: string | null,
]

export function readTables(rows: unknown[]): Table[] {
  const tables: Table[] = []
  for (const row of rows as Row[]) {
    const [schema, name, kind, rowEstimate, column, type, nullable, tableComment, columnComment] = row
    let table = tables.at(-1)
    if (table?.schema !== schema || table.name !== name) {
      const estimate = rowEstimate === null ? null : Number(rowEstimate)
      table = { schema, name, kind, columns: [], rowEstimate: estimate, comment: commentOf(tableComment) }
      tables.push(table)
    }
    if (column !== null) table.columns.push({ name: column, type, nullable, comment: commentOf(columnComment) })
  }
  return tables
}
