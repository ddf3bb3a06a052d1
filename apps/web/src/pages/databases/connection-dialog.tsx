import type { FormEvent } from 'react'
import { changeConnection, type ServerDatabase, tryConnection } from '../../api/databases.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import { ConnectionOutcome } from './connection-outcome.tsx'
import { engineName } from './engine-badge.tsx'
import { toServerDraft } from './server-draft.ts'
import { ServerFields } from './server-fields.tsx'
import { useConnection } from './use-connection.ts'

const formId = 'connection'

/** Edits the connection to a database server. */
export function ConnectionDialog({ database, onClose }: { database: ServerDatabase; onClose(): void }) {
  const { id, engine, hasPassword } = database
  const toast = useToast()
  const connection = useConnection({
    engine,
    initial: toServerDraft(database.settings),
    hasStoredPassword: hasPassword,
    tryOut: (given) => tryConnection({ id, ...given }),
    save: (given) => changeConnection(id, given),
    onSaved: () => {
      toast.show({ message: 'Connection saved. Runs in progress finish on the old one.' })
      onClose()
    },
  })
  const isBusy = connection.isTrying || connection.isSaving
  const submit = (event: FormEvent) => {
    event.preventDefault()
    connection.save()
  }
  return (
    <Dialog
      title={`Connection to ${database.name}`}
      description={`${engineName(engine)} server`}
      isOpen
      onOpenChange={onClose}
      footer={
        <>
          <ConnectionOutcome connection={connection} />
          <Button
            className="mr-auto"
            isBusy={connection.isTrying}
            disabled={!connection.isComplete || isBusy}
            onClick={connection.tryOut}
          >
            Test connection
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form={formId}
            kind="primary"
            isBusy={connection.isSaving}
            disabled={!connection.isComplete || isBusy}
          >
            Save connection
          </Button>
        </>
      }
    >
      <form ref={connection.form} id={formId} className="grid gap-4" onSubmit={submit}>
        <ServerFields engine={engine} connection={connection} hasStoredPassword={hasPassword} />
      </form>
    </Dialog>
  )
}
