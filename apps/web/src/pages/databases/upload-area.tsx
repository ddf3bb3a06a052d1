import { useBlocker } from '@tanstack/react-router'
import type { Table } from '../../api/databases.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { ImportItem } from './import-item.tsx'
import { faultOf, isOpen, isUnderWay } from './imports.ts'
import { acceptedEndings } from './table-files.ts'
import { useImports } from './use-imports.ts'

/** Where CSV, JSON and Parquet files become tables: dropped or chosen, named, and sent one after the other. */
export function UploadArea({ databaseId, tables, onDone }: { databaseId: string; tables: Table[]; onDone(): void }) {
  const { imports, dispatch, cancel } = useImports(databaseId)
  // What has just been made counts before the list of tables has come anew.
  const made = imports.flatMap(({ state }) => (state.kind === 'done' ? [state.table] : []))
  const existing = [...tables.filter(({ schema }) => schema === 'main'), ...made].map(({ name }) => name)
  const faults = new Map(imports.map((one) => [one.id, isOpen(one) ? faultOf(one, imports, existing) : undefined]))
  const ready = imports.filter((one) => isOpen(one) && !faults.get(one.id))
  const isBusy = imports.some(isUnderWay)
  return (
    <section aria-label="Add tables from files" className="grid content-start gap-3">
      <FileDrop
        label="Drop CSV, JSON or Parquet files here to make tables of them"
        buttonLabel="Choose files"
        accept={acceptedEndings}
        hint="Up to 4 GiB each; CSV and JSON lines also as .gz. The first line of a CSV file names its columns."
        onFiles={(files) => dispatch({ type: 'choose', files })}
      />
      {imports.length > 0 && (
        <form
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            dispatch({ type: 'start', existing })
          }}
        >
          <ul className="grid gap-2" aria-label="Files">
            {imports.map((one) => (
              <ImportItem
                key={one.id}
                one={one}
                fault={faults.get(one.id)}
                databaseId={databaseId}
                dispatch={dispatch}
                onCancel={cancel}
              />
            ))}
          </ul>
          {imports.some(isOpen) && (
            <Button type="submit" kind="primary" className="justify-self-start" disabled={ready.length === 0}>
              {ready.length > 1 ? `Import ${ready.length} files` : 'Import'}
            </Button>
          )}
        </form>
      )}
      {tables.length > 0 && !isBusy && !imports.some(isOpen) && (
        <Button size="small" className="justify-self-end" onClick={onDone}>
          {imports.length > 0 ? 'Done' : 'Not now'}
        </Button>
      )}
      <LeavingWhileBusy isBusy={isBusy} />
    </section>
  )
}

function LeavingWhileBusy({ isBusy }: { isBusy: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isBusy && current.pathname !== next.pathname,
    enableBeforeUnload: () => isBusy,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      title="Files are still on their way"
      confirmLabel="Leave anyway"
      isOpen={blocker.status === 'blocked'}
      onOpenChange={(isShown) => {
        if (!isShown) blocker.reset?.()
      }}
      onConfirm={() => blocker.proceed?.()}
    >
      <p>When you leave this page now, what has not arrived is not imported. Tables that are there already stay.</p>
    </ConfirmDialog>
  )
}
