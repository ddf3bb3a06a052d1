import type { ItemLineage, ReferenceLineage } from '../../api/lineage.ts'
import { paths } from '../../paths.ts'
import { Hint } from '../../ui/notice.tsx'
import { TextLink } from '../../ui/text-link.tsx'

/** The queries, tables and columns that something reads. */
export function ReadsList({ lineage: { tables, references, isComplete } }: { lineage: Pick<ReferenceLineage, 'tables' | 'references' | 'isComplete'> | ItemLineage }) {
  return (
    <div className="grid gap-3">
      {tables.length + references.length === 0 && <p className="text-soft">No tables found in the SQL.</p>}
      <ul className="grid gap-2 [overflow-wrap:anywhere]">
        {references.map((reference) => (
          <li key={reference.shortId} className="flex flex-wrap gap-x-2">
            <TextLink href={paths.permalink(reference.shortId)}>{reference.title}</TextLink>
            {'through' in reference && reference.through && <span className="text-soft">through {reference.through.title}</span>}
          </li>
        ))}
        {tables.map((table) => (
          <li key={`${table.analyticalDatabaseConfigId} ${table.schema}.${table.name}`}>
            <TableName table={table} />
            <p className="text-sm text-soft">{columnsOf(table)}</p>
          </li>
        ))}
      </ul>
      {!isComplete && <Hint>The SQL may read more tables, for example with a table function.</Hint>}
    </div>
  )
}

type ReadTable = ReferenceLineage['tables'][number]

function TableName({ table: { analyticalDatabaseConfigId, schema, name } }: { table: ReadTable }) {
  if (schema === null) return <span>{name}</span>
  return <TextLink href={paths.tableUsers(analyticalDatabaseConfigId, { schema, table: name })}>{schema}.{name}</TextLink>
}

function columnsOf({ columns, readsAllColumns }: ReadTable): string {
  if (readsAllColumns) return 'All columns'
  return columns.length === 0 ? 'No columns found in the SQL' : columns.join(', ')
}
