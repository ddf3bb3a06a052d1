import { type FormEvent, useState } from 'react'
import { addServerDatabase, type Database, tryConnection } from '../../api/databases.ts'
import { fileEngines, serverEngines } from '../../api/generated/values.ts'
import { faultAt } from '../../api/request.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { ConnectionOutcome } from './connection-outcome.tsx'
import { EngineChoice } from './engine-choice.tsx'
import { FileFields } from './file-fields.tsx'
import { emptyDraft } from './server-draft.ts'
import { ServerFields } from './server-fields.tsx'
import { useConnection } from './use-connection.ts'
import { useNewFileDatabase } from './use-new-file-database.ts'

const formId = 'add-database'

const open = (database: Database) => navigate(paths.database(database.id))

/** Adds a database: a file stored by the service, or a connection to a database server. */
export function AddDatabaseDialog({ onClose }: { onClose(): void }) {
  const [engine, setEngine] = useState<Database['engine']>(fileEngines[0])
  const [name, setName] = useState('')
  const fileEngine = fileEngines.find((each) => each === engine) ?? fileEngines[0]
  const inFile = useNewFileDatabase({ name, engine: fileEngine, onAdded: open })
  const serverEngine = serverEngines.find((each) => each === engine) ?? serverEngines[0]
  const connection = useConnection({
    engine: serverEngine,
    initial: emptyDraft,
    hasStoredPassword: false,
    tryOut: (given) => tryConnection({ engine: serverEngine, ...given }),
    save: (given) => addServerDatabase({ name, engine: serverEngine, ...given }),
    onSaved: open,
  })
  const isOnServer = engine === serverEngine
  const { error, isComplete, save } = isOnServer ? connection : inFile
  const isSaving = isOnServer ? connection.isSaving : inFile.isBusy
  const close = () => {
    inFile.cancel()
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
          <ServerFields engine={serverEngine} connection={connection} hasStoredPassword={false} />
        ) : (
          <FileFields engine={fileEngine} database={inFile} />
        )}
      </form>
    </Dialog>
  )
}
