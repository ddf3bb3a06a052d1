import { faultAt } from '../../api/request.ts'
import { useSession } from '../../api/session.ts'
import { Field } from '../../ui/field.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Choice, TextInput } from '../../ui/inputs.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { fileSize } from '../../ui/file-size.ts'
import type { FileEngine } from '../../api/databases.ts'
import { engineName } from './engine-badge.tsx'
import { filePlaceOf, type NewFileDatabase, type Origin } from './use-new-file-database.ts'

/** A new database in a file: empty, from an uploaded file, or from a file that an administrator placed on the server. */
export function FileFields({ engine, database }: { engine: FileEngine; database: NewFileDatabase }) {
  const { origin, file, sentPercent, isBusy, error } = database
  return (
    <>
      <Origins engine={engine} origin={origin} onChange={database.setOrigin} isDisabled={isBusy} />
      {origin === 'upload' && <ChosenFile engine={engine} file={file} onChoose={database.setFile} />}
      {origin === 'server' && (
        <ServerFile
          engine={engine}
          value={database.serverFile}
          fault={faultAt(error, '/settings')}
          onChange={database.setServerFile}
        />
      )}
      {isBusy && origin === 'upload' && (
        <div className="grid gap-1.5">
          <ProgressBar label="Uploading the file" {...(sentPercent < 100 && { value: sentPercent })} />
          <p className="text-xs text-soft">{sentPercent < 100 ? `${sentPercent}% uploaded` : 'Opening the file…'}</p>
        </div>
      )}
      <FormProblem
        error={error}
        fields={origin === 'server' ? ['/name', 'name', '/settings/file'] : ['/name', 'name']}
      />
    </>
  )
}

function Origins(props: { engine: FileEngine; origin: Origin; isDisabled: boolean; onChange(origin: Origin): void }) {
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
      <legend className="mb-1.5 text-xs font-medium">Start with</legend>
      {filePlaceOf(props.engine).takesTables && choice('empty', 'An empty database', 'Upload files next.')}
      {choice('upload', `Upload a ${engineName(props.engine)} file`, 'We’ll store a copy.')}
      {choice('server', `Use a ${engineName(props.engine)} file on the server`, 'For files that are too large to upload or that another program updates.')}
    </fieldset>
  )
}

function ChosenFile(props: { engine: FileEngine; file: File | undefined; onChoose(file: File | undefined): void }) {
  const { engine, file, onChoose } = props
  return (
    <FileDrop
      isSingle
      label={file ? `${file.name}, ${fileSize(file.size)}` : `Drop a ${engineName(engine)} file here`}
      buttonLabel={file ? 'Choose another file' : 'Choose file'}
      accept={filePlaceOf(engine).uploads.join(',')}
      hint="Up to 4 GiB."
      onFiles={([chosen]) => onChoose(chosen)}
    />
  )
}

function ServerFile(props: { engine: FileEngine; value: string; fault: string | undefined; onChange(value: string): void }) {
  const { organization } = useSession()
  return (
    <Field
      label="File name"
      fault={props.fault}
      hint={
        <>
          An administrator places the file in{' '}
          <code className="font-mono [overflow-wrap:anywhere]">DATA_DIR/databases/{organization.id}/</code>
        </>
      }
    >
      <TextInput
        value={props.value}
        placeholder={`sales.${filePlaceOf(props.engine).extension}`}
        spellCheck={false}
        onChange={(event) => props.onChange(event.target.value)}
      />
    </Field>
  )
}
