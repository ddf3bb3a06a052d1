import { embeddedEngine } from '@querypost/server/engine-definitions'
import { useQuery } from '@tanstack/react-query'
import { databasesOptions } from '../api/databases.ts'
import { queryOptionsOf } from '../api/queries.ts'
import { SqlEditor, type SqlEditorProps } from './sql-editor.tsx'

/** Read-only SQL of a stored query, highlighted for the dialect of its database. */
export function StoredSql({ queryId, ...props }: Omit<SqlEditorProps, 'dialect' | 'isReadOnly'> & { queryId: string }) {
  const { data: query } = useQuery(queryOptionsOf(queryId))
  const { data: databases } = useQuery(databasesOptions())
  const database = databases?.find(({ id }) => id === query?.analyticalDatabaseConfigId)
  return <SqlEditor {...props} dialect={database?.engine ?? embeddedEngine} isReadOnly />
}
