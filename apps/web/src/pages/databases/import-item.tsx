import { Check, FileSpreadsheet, X } from 'lucide-react'
import type { ImportedTable, Table } from '../../api/databases.ts'
import { faultAt, hasCode, messageOf } from '../../api/request.ts'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { Problem } from '../../ui/notice.tsx'
import { ExistingTableChoice } from './existing-table-choice.tsx'
import { FilePreview } from './file-preview.tsx'
import { type FileImport, type ImportAction, type ImportFault, isOpen } from './imports.ts'
import { ProgressBar } from './progress-bar.tsx'
import { starterQuery } from './sql-names.ts'
import { hasPreview } from './table-files.ts'
import { fileSize } from '../../ui/file-size.ts'

const count = new Intl.NumberFormat()

interface ItemProps {
  one: FileImport
  fault: ImportFault | undefined
  databaseId: string
  /** The existing table with the chosen name. */
  table: Table | undefined
  dispatch(action: ImportAction): void
  onCancel(id: number): void
}

/** One file being imported: the name of its table, its progress, and its outcome. */
export function ImportItem({ one, fault, databaseId, table, dispatch, onCancel }: ItemProps) {
  const { id, file, state } = one
  return (
    <li className="grid gap-2.5 rounded-lg border border-line bg-surface p-3" aria-label={file.name}>
      <div className="flex items-center gap-2">
        <FileSpreadsheet className="size-4 shrink-0 text-soft" aria-hidden="true" />
        <span className="min-w-0 truncate font-medium" title={file.name}>{file.name}</span>
        <span className="mr-auto shrink-0 text-xs text-soft">{fileSize(file.size)}</span>
        {(isOpen(one) || state.kind === 'done') && (
          <IconButton
            label={`Remove ${file.name}`}
            icon={<X />}
            onClick={() => dispatch({ type: 'remove', id })}
          />
        )}
      </div>
      {isOpen(one) && fault?.at !== 'file' && <TableName one={one} fault={fault} table={table} dispatch={dispatch} />}
      {isOpen(one) && fault?.at !== 'file' && hasPreview(file) && (
        <FilePreview databaseId={databaseId} one={one} dispatch={dispatch} />
      )}
      {isOpen(one) && fault?.at === 'file' && <Problem message={fault.message} />}
      {state.kind === 'failed' && !isAtName(state.error) && (
        <Problem
          title="Couldn’t import this file"
          message={messageOf(state.error)}
          isVerbatim={hasCode(state.error, 'file_unreadable')}
        />
      )}
      <Progress one={one} onCancel={() => onCancel(id)} />
      {state.kind === 'done' && <Outcome table={state.table} fileName={file.name} databaseId={databaseId} />}
    </li>
  )
}

/** The table itself shows all columns. */
const maxShownColumns = 24

/** The imported table: its row count, columns and types. */
function Outcome(props: { table: ImportedTable; fileName: string; databaseId: string }) {
  const { name, rowCount, columns } = props.table
  const rest = columns.length - maxShownColumns
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="mr-auto flex items-center gap-1.5 text-good" role="status">
          <Check className="size-4" aria-hidden="true" />
          {rowCount === 1 ? '1 row' : `${count.format(rowCount)} rows`} in the table {name}
        </p>
        <ButtonLink size="small" href={paths.newQuery({ database: props.databaseId, sql: starterQuery(props.table) })}>
          Query table
        </ButtonLink>
      </div>
      <ul aria-label={`Columns found in ${props.fileName}`} className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
        {columns.slice(0, maxShownColumns).map((column) => (
          <li key={column.name} className="min-w-0 break-words">
            {column.name} <span className="text-soft">{shortType(column.type)}</span>
          </li>
        ))}
        {rest > 0 && <li className="text-soft">and {count.format(rest)} more</li>}
      </ul>
    </div>
  )
}

/** The type of a nested value can be very long. */
const shortType = (type: string) => (type.length > 60 ? `${type.slice(0, 60).toLowerCase()}…` : type.toLowerCase())

const isAtName = (error: unknown) => faultAt(error, 'name') !== undefined

function TableName({ one, fault, table, dispatch }: Pick<ItemProps, 'one' | 'fault' | 'table' | 'dispatch'>) {
  const { id, tableName, ifExists, state } = one
  // The page may not know about the table yet.
  const existsAtService = state.kind === 'failed' && hasCode(state.error, 'table_exists')
  const serviceFault = state.kind === 'failed' ? faultAt(state.error, 'name') : undefined
  return (
    <div className="grid gap-2">
      <Field
        label="Table name"
        className="max-w-md"
        fault={fault?.at === 'name' ? fault.message : fault || ifExists !== 'refuse' ? undefined : serviceFault}
      >
        <TextInput
          value={tableName}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => dispatch({ type: 'change', id, tableName: event.target.value })}
        />
      </Field>
      {(fault?.at === 'exists' || ifExists !== 'refuse' || existsAtService) && (
        <ExistingTableChoice one={one} table={table} dispatch={dispatch} />
      )}
    </div>
  )
}

function Progress({ one: { file, state, tableName }, onCancel }: { one: FileImport; onCancel(): void }) {
  if (state.kind !== 'waiting' && state.kind !== 'sending' && state.kind !== 'reading') return null
  const percent = state.kind === 'sending' ? Math.floor((state.sentBytes / Math.max(1, file.size)) * 100) : undefined
  return (
    <div className="grid gap-1.5">
      {state.kind === 'sending' && <ProgressBar label={`Uploading ${file.name}`} value={percent ?? 0} />}
      {state.kind === 'reading' && <ProgressBar label={`Reading ${file.name}`} />}
      <div className="flex items-center gap-3 text-xs text-soft">
        <p className="mr-auto min-w-0">
          {state.kind === 'waiting' && 'Waiting for earlier files'}
          {state.kind === 'sending' && `${percent}% of ${fileSize(file.size)} uploaded`}
          {state.kind === 'reading' && `Creating table ${tableName}…`}
        </p>
        <Button size="small" onClick={onCancel}>Cancel</Button>
      </div>
    </div>
  )
}
