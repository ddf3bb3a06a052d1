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
  /** Called on Shift+Alt+F. */
  onFormat?(): void
  /** Called when text becomes selected, or no longer is. */
  onSelectionChange?(hasSelection: boolean): void
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

export interface Selection {
  text: string
  start: number
}

export interface SqlEditorHandle {
  focus(): void
  /** Inserts a name at the cursor, or in place of the selection, with the spaces it needs. */
  insertName(name: string): void
  /** Replaces all text; one step to undo. */
  replaceAll(text: string): void
  /** The selected text and where it starts; null if nothing but blanks is selected. */
  selection(): Selection | null
}
