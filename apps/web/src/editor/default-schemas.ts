import { definitionOf } from '@querypost/server/engine-definitions'
import type { Database } from '../api/databases.ts'

/** The schema whose tables can be named without a schema prefix. Some databases call a schema a database. */
export function defaultSchemaOf({ engine, settings }: Pick<Database, 'engine' | 'settings'>): string {
  const { defaultSchema } = definitionOf(engine)
  if ('name' in defaultSchema) return defaultSchema.name
  if ('file' in settings) return ''
  return defaultSchema.setting === 'database' ? settings.database : (settings.options?.[defaultSchema.setting] ?? '')
}
