import { useQuery } from '@tanstack/react-query'
import { databasesOptions } from '../api/databases.ts'
import { queryOptionsOf } from '../api/queries.ts'
import { SqlEditor, type SqlEditorProps } from './sql-editor.tsx'

/** SQL of a stored query to be read, in the colours of its database's dialect. */
export function StoredSql({ queryId, ...props }: Omit<SqlEditorProps, 'dialect' | 'isReadOnly'> & { queryId: string }) {
  const { data: query } = useQuery(queryOptionsOf(queryId))
  const { data: databases } = useQuery(databasesOptions())
  const database = databases?.find(({ id }) => id === query?.analyticalDatabaseConfigId)
  return <SqlEditor {...props} dialect={database?.engine ?? 'duckdb'} isReadOnly />
}
