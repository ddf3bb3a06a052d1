import { type FormEvent, useState } from 'react'
import { addServerDatabase, type Database, tryConnection } from '../../api/databases.ts'
import { faultAt } from '../../api/request.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { ConnectionOutcome } from './connection-outcome.tsx'
import { DuckdbFields } from './duckdb-fields.tsx'
import { EngineChoice } from './engine-choice.tsx'
import { emptyDraft } from './server-draft.ts'
import { ServerFields } from './server-fields.tsx'
import { useConnection } from './use-connection.ts'
import { useNewDuckdb } from './use-new-duckdb.ts'

const formId = 'add-database'

const open = (database: Database) => navigate(paths.database(database.id))

/** Adds a database: a DuckDB file stored by the service, or a connection to a database server. */
export function AddDatabaseDialog({ onClose }: { onClose(): void }) {
  const [engine, setEngine] = useState<Database['engine']>('duckdb')
  const [name, setName] = useState('')
  const duckdb = useNewDuckdb({ name, onAdded: open })
  const serverEngine = engine === 'duckdb' ? 'postgres' : engine
  const connection = useConnection({
    engine: serverEngine,
    initial: emptyDraft,
    hasStoredPassword: false,
    tryOut: (given) => tryConnection({ engine: serverEngine, ...given }),
    save: (given) => addServerDatabase({ name, engine: serverEngine, ...given }),
    onSaved: open,
  })
  const isOnServer = engine !== 'duckdb'
  const { error, isComplete, save } = isOnServer ? connection : duckdb
  const isSaving = isOnServer ? connection.isSaving : duckdb.isBusy
  const close = () => {
    duckdb.cancel()
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save()
  }
  return (
    <Dialog
      title="Add database"
      description="Access is always read-only."
      isOpen
      onOpenChange={close}
      width="wide"
      footer={
        <>
          {isOnServer && <ConnectionOutcome connection={connection} />}
          {isOnServer && (
            <Button
              className="mr-auto"
              isBusy={connection.isTrying}
              disabled={!connection.isComplete || isSaving}
              onClick={connection.tryOut}
            >
              Test connection
            </Button>
          )}
          <Button onClick={close}>Cancel</Button>
          <Button
            type="submit"
            form={formId}
            kind="primary"
            isBusy={isSaving}
            disabled={name.trim() === '' || !isComplete || connection.isTrying}
          >
            Add database
          </Button>
        </>
      }
    >
      <form ref={connection.form} id={formId} className="grid gap-4" onSubmit={submit}>
        <Field label="Name" fault={faultAt(error, '/name') ?? faultAt(error, 'name')}>
          <TextInput value={name} maxLength={100} autoFocus onChange={(event) => setName(event.target.value)} />
        </Field>
        <EngineChoice
          value={engine}
          isDisabled={isSaving || connection.isTrying}
          onChange={(chosen) => {
            setEngine(chosen)
            connection.reset()
          }}
        />
        {isOnServer ? (
          <ServerFields engine={engine} connection={connection} hasStoredPassword={false} />
        ) : (
          <DuckdbFields duckdb={duckdb} />
        )}
      </form>
    </Dialog>
  )
}
