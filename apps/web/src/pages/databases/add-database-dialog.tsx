import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { addDatabase, type Database, uploadDatabase } from '../../api/databases.ts'
import { faultAt } from '../../api/request.ts'
import { useSession } from '../../api/session.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Choice, TextInput } from '../../ui/inputs.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { fileSize } from './table-files.ts'

type Origin = 'empty' | 'upload' | 'server'

const formId = 'add-database'

/** A new DuckDB database: empty, from a file of one's own, or from one that the operator has put into place. */
export function AddDatabaseDialog({ onClose }: { onClose(): void }) {
  const [origin, setOrigin] = useState<Origin>('empty')
  const [name, setName] = useState('')
  const [serverFile, setServerFile] = useState('')
  const [file, setFile] = useState<File>()
  const [sentPercent, setSentPercent] = useState(0)
  const abort = useRef<AbortController>(undefined)
  const queryClient = useQueryClient()

  const adding = useMutation({
    mutationFn: (): Promise<Database> => {
      if (origin === 'server') return addDatabase({ name, file: serverFile })
      if (origin === 'empty' || !file) return addDatabase({ name })
      abort.current = new AbortController()
      return uploadDatabase(
        { name, file },
        {
          signal: abort.current.signal,
          onProgress: ({ sentBytes, totalBytes }) =>
            setSentPercent(Math.floor((sentBytes / Math.max(1, totalBytes)) * 100)),
        },
      )
    },
    onSuccess: (database) => {
      void queryClient.invalidateQueries({ queryKey: ['databases'] })
      navigate(paths.database(database.id))
    },
  })
  const close = () => {
    abort.current?.abort()
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSentPercent(0)
    adding.mutate()
  }
  const hasOrigin = origin === 'empty' || (origin === 'upload' ? file !== undefined : serverFile !== '')
  const isReady = name.trim() !== '' && hasOrigin
  return (
    <Dialog
      title="Add database"
      description="A DuckDB database, in a file that the service keeps."
      isOpen
      onOpenChange={close}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" form={formId} kind="primary" isBusy={adding.isPending} disabled={!isReady}>
            Add database
          </Button>
        </>
      }
    >
      <form id={formId} className="grid gap-4" onSubmit={submit}>
        <Field label="Name" fault={faultAt(adding.error, '/name') ?? faultAt(adding.error, 'name')}>
          <TextInput value={name} maxLength={100} autoFocus onChange={(event) => setName(event.target.value)} />
        </Field>
        <Origins origin={origin} onChange={setOrigin} isDisabled={adding.isPending} />
        {origin === 'upload' && <ChosenFile file={file} onChoose={setFile} />}
        {origin === 'server' && (
          <ServerFile value={serverFile} fault={faultAt(adding.error, '/settings')} onChange={setServerFile} />
        )}
        {adding.isPending && origin === 'upload' && (
          <div className="grid gap-1.5">
            <ProgressBar label="Sending the file" {...(sentPercent < 100 && { value: sentPercent })} />
            <p className="text-xs text-soft">{sentPercent < 100 ? `${sentPercent} % sent` : 'Opening it …'}</p>
          </div>
        )}
        <FormProblem
          error={adding.error}
          fields={origin === 'server' ? ['/name', 'name', '/settings/file'] : ['/name', 'name']}
        />
      </form>
    </Dialog>
  )
}

function Origins(props: { origin: Origin; isDisabled: boolean; onChange(origin: Origin): void }) {
  const choice = (origin: Origin, label: string, hint: string) => (
    <Choice
      type="radio"
      name="origin"
      label={label}
      hint={hint}
      checked={props.origin === origin}
      onChange={() => props.onChange(origin)}
    />
  )
  return (
    <fieldset className="grid gap-2.5" disabled={props.isDisabled}>
      <legend className="mb-1.5 text-xs font-medium">What it begins with</legend>
      {choice('empty', 'Empty', 'You drop CSV or Parquet files into it next.')}
      {choice('upload', 'A DuckDB file of yours', 'It is copied to the service.')}
      {choice('server', 'A DuckDB file on the server', 'For files too large to send, or that another program renews.')}
    </fieldset>
  )
}

function ChosenFile({ file, onChoose }: { file: File | undefined; onChoose(file: File | undefined): void }) {
  return (
    <FileDrop
      isSingle
      label={file ? `${file.name}, ${fileSize(file.size)}` : 'Drop a DuckDB file here'}
      buttonLabel={file ? 'Choose another file' : 'Choose a file'}
      accept=".duckdb,.db"
      hint="Up to 4 GiB."
      onFiles={([chosen]) => onChoose(chosen)}
    />
  )
}

function ServerFile(props: { value: string; fault: string | undefined; onChange(value: string): void }) {
  const { organization } = useSession()
  return (
    <Field
      label="File name"
      fault={props.fault}
      hint={
        <>
          The operator puts the file into{' '}
          <code className="font-mono [overflow-wrap:anywhere]">DATA_DIR/databases/{organization.id}/</code>
        </>
      }
    >
      <TextInput
        value={props.value}
        placeholder="sales.duckdb"
        spellCheck={false}
        onChange={(event) => props.onChange(event.target.value)}
      />
    </Field>
  )
}
