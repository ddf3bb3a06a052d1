import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { databasesOptions } from '../../api/databases.ts'
import { importDbt } from '../../api/dbt.ts'
import { messageOf } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { Select, TextInput } from '../../ui/inputs.tsx'
import { Problem } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toast.tsx'
import { artifactNames, artifactsIn, joinArtifacts } from './dbt-artifacts.ts'

/** Uploads the artifacts of a dbt project. */
export function ImportDbtDialog({ onClose }: { onClose(): void }) {
  const { data: databases = [] } = useQuery(databasesOptions())
  const [databaseId, setDatabaseId] = useState('')
  const [files, setFiles] = useState<File[]>([])
  const [docsUrl, setDocsUrl] = useState('')
  const [repositoryUrl, setRepositoryUrl] = useState('')
  const client = useQueryClient()
  const toast = useToast()
  const artifacts = artifactsIn(files)
  const chosenId = databaseId === '' ? (databases[0]?.id ?? '') : databaseId
  const importing = useMutation({
    mutationFn: () => {
      const links = { docsUrl: docsUrl.trim() || undefined, repositoryUrl: repositoryUrl.trim() || undefined }
      return importDbt(joinArtifacts(artifacts), { databaseId: chosenId, ...links }, { signal: new AbortController().signal, onProgress: () => {} })
    },
    onSuccess: async ({ project, tableCount }) => {
      await client.invalidateQueries({ queryKey: ['knowledge'] })
      toast.show({ message: `Imported ${tableCount} tables of ${project}.` })
      onClose()
    },
  })
  return (
    <Dialog title="Import dbt project" description="Upload the files that dbt docs generate writes to the folder target." isOpen onOpenChange={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          importing.mutate()
        }}
      >
        <Field label="Database">
          <Select value={chosenId} onChange={({ target }) => setDatabaseId(target.value)}>
            {databases.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
          </Select>
        </Field>
        <FileDrop
          label="Drop manifest.json, catalog.json and sources.json here"
          buttonLabel="Choose files"
          accept=".json"
          hint={`Only manifest.json is required. Chosen: ${artifactNames.filter((name) => artifacts[name]).map((name) => `${name}.json`).join(', ') || 'none'}`}
          onFiles={(chosen) => setFiles([...chosen, ...files])}
        />
        <Field label="Address of the dbt docs (optional)">
          <TextInput type="url" value={docsUrl} placeholder="https://dbt.example.com" onChange={({ target }) => setDocsUrl(target.value)} />
        </Field>
        <Field label="Address of the project’s files (optional)">
          <TextInput
            type="url"
            value={repositoryUrl}
            placeholder="https://github.com/acme/dbt/blob/main"
            onChange={({ target }) => setRepositoryUrl(target.value)}
          />
        </Field>
        {importing.isError && <Problem message={messageOf(importing.error)} />}
        <div className="flex justify-end">
          <Button type="submit" kind="primary" isBusy={importing.isPending} disabled={!artifacts.manifest || chosenId === ''}>Import</Button>
        </div>
      </form>
    </Dialog>
  )
}
