import type { Ref } from 'react'
import type { Database, Table } from '../api/databases.ts'
import type { Run } from '../api/runs.ts'

export interface SqlEditorProps {
  value: string
  label: string
  dialect: Dialect
  /** The schema whose tables are completed without its name. */
  defaultSchema?: string
  onChange?(value: string): void
  /** Control and Enter, or Command and Enter. */
  onRun?(): void
  /** What completion knows of the database. */
  tables?: Table[] | undefined
  parameterNames?: string[]
  /** Where the engine found a fault, in `value`, and what it said. */
  error?: { position: NonNullable<Run['errorPosition']>; message: string } | null
  isReadOnly?: boolean
  placeholder?: string
  className?: string
  ref?: Ref<SqlEditorHandle>
}

/** Each engine has its own. */
export type Dialect = Database['engine']

export interface SqlEditorHandle {
  focus(): void
  /** In place of what is marked, or where the cursor is. */
  insert(text: string): void
}
