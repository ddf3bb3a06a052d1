import type { Dialect } from './sql-editor-props.ts'

/** The schema whose tables need no name before theirs. */
export const defaultSchemas: Record<Dialect, string> = { duckdb: 'main' }
