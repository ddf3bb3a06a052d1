/**
 * The files being imported into a database.
 *
 * A file is `chosen` while its table can still be renamed, `waiting` for earlier files, `sending` while it uploads, `reading`
 * while the service creates the table, then `done` or `failed`. A failed file keeps its input and can be imported again. Files
 * are uploaded one at a time.
 */
import type { ImportedTable } from '../../api/databases.ts'
import type { CsvReading } from '../../api/file-preview.ts'
import { faultOfFile, faultOfName, suggestTableName } from './table-files.ts'

export type ImportState =
  | { kind: 'chosen' }
  | { kind: 'waiting' }
  | { kind: 'sending'; sentBytes: number }
  | { kind: 'reading' }
  | { kind: 'done'; table: ImportedTable }
  | { kind: 'failed'; error: unknown }

export interface FileImport {
  id: number
  file: File
  tableName: string
  ifExists: 'refuse' | 'replace' | 'append' | 'upsert'
  /** For `upsert`: the columns that identify a row. */
  keys: string[]
  /** The choices for reading a CSV file. The service detects the rest. */
  given: Partial<CsvReading>
  /** Of a workbook: the first one if undefined. */
  sheet?: string | undefined
  state: ImportState
}

export type ImportAction =
  | { type: 'choose'; files: File[] }
  | { type: 'change'; id: number; tableName?: string; ifExists?: FileImport['ifExists']; keys?: string[] }
  | { type: 'read'; id: number; given: Partial<CsvReading>; sheet?: string | undefined }
  | { type: 'remove'; id: number }
  | { type: 'start'; existing: readonly string[] }
  | { type: 'move'; id: number; state: ImportState }

export function reduceImports(imports: FileImport[], action: ImportAction): FileImport[] {
  switch (action.type) {
    case 'choose':
      return action.files.reduce(addFile, imports)
    case 'change':
      return imports.map((each) =>
        each.id === action.id && isOpen(each)
          ? {
              ...each,
              ...(action.tableName !== undefined && { tableName: action.tableName, ifExists: 'refuse', keys: [] }),
              ...(action.ifExists !== undefined && { ifExists: action.ifExists, keys: [] }),
              ...(action.keys !== undefined && { keys: action.keys }),
            }
          : each,
      )
    case 'read':
      return imports.map((each) => (each.id === action.id && isOpen(each) ? { ...each, given: action.given, sheet: action.sheet } : each))
    case 'remove':
      return imports.filter(({ id }) => id !== action.id)
    case 'start':
      return imports.map((each) => {
        const isReady = isOpen(each) && faultOf(each, imports, action.existing) === undefined
        return isReady ? { ...each, state: { kind: 'waiting' } } : each
      })
    case 'move':
      return imports.map((each) => (each.id === action.id ? { ...each, state: action.state } : each))
  }
}

/** Whether the file can be renamed, removed or imported. */
export const isOpen = ({ state }: FileImport) => state.kind === 'chosen' || state.kind === 'failed'

export const isInProgress = ({ state }: FileImport) => ['waiting', 'sending', 'reading'].includes(state.kind)

/** The next file to upload, if no upload is in progress. */
export function nextImport(imports: FileImport[]): FileImport | undefined {
  const isBusy = imports.some(({ state }) => state.kind === 'sending' || state.kind === 'reading')
  return isBusy ? undefined : imports.find(({ state }) => state.kind === 'waiting')
}

function addFile(imports: FileImport[], file: File): FileImport[] {
  const id = (imports.at(-1)?.id ?? 0) + 1
  const taken = new Set(imports.filter(({ state }) => state.kind !== 'done').map(({ tableName }) => tableName))
  const suggested = suggestTableName(file.name)
  let tableName = suggested
  for (let number = 2; taken.has(tableName); number++) tableName = `${suggested}_${number}`
  return [...imports, { id, file, tableName, ifExists: 'refuse', keys: [], given: {}, state: { kind: 'chosen' } }]
}

export interface ImportFault {
  at: 'file' | 'name' | 'exists' | 'keys'
  message: string
}

/** Why a file can't be imported, as far as the page can tell. */
export function faultOf(one: FileImport, imports: FileImport[], existing: readonly string[]): ImportFault | undefined {
  const ofFile = faultOfFile(one.file)
  if (ofFile !== undefined) return { at: 'file', message: ofFile }
  const ofName = faultOfName(one.tableName)
  if (ofName !== undefined) return { at: 'name', message: ofName }
  const isSame = (name: string) => name.toLowerCase() === one.tableName.toLowerCase()
  if (imports.some((other) => other.id < one.id && other.state.kind !== 'done' && isSame(other.tableName))) {
    return { at: 'name', message: 'Another file has this table name' }
  }
  if (one.ifExists === 'upsert' && one.keys.length === 0) return { at: 'keys', message: 'Choose the key columns' }
  if (one.ifExists === 'refuse' && existing.some(isSame)) return { at: 'exists', message: `The table ${one.tableName} already exists` }
  return undefined
}
