import type { DbtTable } from '../../model/dbt.ts'
import type { TableDescriptionContent } from '../../model/knowledge.ts'

/** What is known about a table besides the database's comments: people's own descriptions, and where there are none, those of dbt. */
export function withDbt(
  own: TableDescriptionContent | null | undefined,
  dbt: (Pick<DbtTable, 'description' | 'columns' | 'schema' | 'table'> & { databaseId: string }) | undefined,
): TableDescriptionContent | undefined {
  if (!dbt) return own ?? undefined
  const { databaseId, schema, table } = dbt
  return {
    kind: 'table',
    databaseId,
    schema,
    table,
    description: own?.description ?? dbt.description,
    columns: { ...dbt.columns, ...own?.columns },
  }
}
