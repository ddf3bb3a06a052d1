import { useBlocker } from '@tanstack/react-router'
import type { Database, Table } from '../../api/databases.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { ImportItem } from './import-item.tsx'
import { faultOf, isOpen, isInProgress } from './imports.ts'
import { acceptedExtensions } from './table-files.ts'
import { isOfMember } from './uploads-of-members.ts'
import { useImports } from './use-imports.ts'

/** Imports CSV, XLSX, JSON and Parquet files as tables, one upload at a time. */
export function UploadArea({ database, tables, onDone }: { database: Database; tables: Table[]; onDone(): void }) {
  const databaseId = database.id
  const { imports, dispatch, cancel } = useImports(databaseId)
  // Include the tables just imported until the list of tables is refreshed.
  const imported = imports.flatMap(({ state }) => (state.kind === 'done' ? [state.table] : []))
  const existing = [...imported, ...tables.filter(({ schema }) => schema === 'main')]
  const names = existing.map(({ name }) => name)
  const faults = new Map(imports.map((one) => [one.id, isOpen(one) ? faultOf(one, imports, names) : undefined]))
  const ready = imports.filter((one) => isOpen(one) && !faults.get(one.id))
  const isBusy = imports.some(isInProgress)
  return (
    <section aria-label="Upload tables" className="grid content-start gap-3">
      <FileDrop
        label="Drop CSV, Excel, JSON or Parquet files here to create tables"
        buttonLabel="Choose files"
        accept={acceptedExtensions}
        hint={`${sizesOf(database)} CSV and JSON lines can be gzipped.`}
        onFiles={(files) => dispatch({ type: 'choose', files })}
      />
      {imports.length > 0 && (
        <form
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            dispatch({ type: 'start', existing: names })
          }}
        >
          <ul className="grid gap-2" aria-label="Files">
            {imports.map((one) => (
              <ImportItem
                key={one.id}
                one={one}
                fault={faults.get(one.id)}
                databaseId={databaseId}
                table={existing.find(({ name }) => name.toLowerCase() === one.tableName.toLowerCase())}
                dispatch={dispatch}
                onCancel={cancel}
              />
            ))}
          </ul>
          {imports.some(isOpen) && (
            <Button type="submit" kind="primary" className="justify-self-start" disabled={ready.length === 0}>
              {ready.length > 1 ? `Import ${ready.length} files` : 'Import file'}
            </Button>
          )}
        </form>
      )}
      {tables.length > 0 && !isBusy && !imports.some(isOpen) && (
        <Button size="small" className="justify-self-end" onClick={onDone}>
          {imports.length > 0 ? 'Done' : 'Close'}
        </Button>
      )}
      <ConfirmLeaving isBusy={isBusy} />
    </section>
  )
}

const sizesOf = (database: Database) =>
  isOfMember(database) ? 'Up to 256 MiB each, and 1 GiB in all tables.' : 'Up to 4 GiB each.'

function ConfirmLeaving({ isBusy }: { isBusy: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isBusy && current.pathname !== next.pathname,
    enableBeforeUnload: () => isBusy,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      title="Uploads in progress"
      confirmLabel="Leave anyway"
      isOpen={blocker.status === 'blocked'}
      onOpenChange={(isShown) => {
        if (!isShown) blocker.reset?.()
      }}
      onConfirm={() => blocker.proceed?.()}
    >
      <p>If you leave now, unfinished uploads are canceled. Imported tables are kept.</p>
    </ConfirmDialog>
  )
}
