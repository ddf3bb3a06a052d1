import type { Ref } from 'react'
import type { Database, Table } from '../api/databases.ts'
import type { Run } from '../api/runs.ts'

export interface SqlEditorProps {
  value: string
  label: string
  dialect: Dialect
  /** Tables of this schema are completed without a schema prefix. */
  defaultSchema?: string
  onChange?(value: string): void
  /** Called on Ctrl+Enter, or Command+Enter on a Mac. */
  onRun?(): void
  /** Tables and columns to complete. */
  tables?: Table[] | undefined
  parameterNames?: string[]
  /** The position in `value` at which the engine reported an error, and its message. */
  error?: { position: NonNullable<Run['errorPosition']>; message: string } | null
  isReadOnly?: boolean
  placeholder?: string
  className?: string
  ref?: Ref<SqlEditorHandle>
}

export type Dialect = Database['engine']

export interface SqlEditorHandle {
  focus(): void
  /** Replaces the selection, or inserts at the cursor. */
  insert(text: string): void
}
