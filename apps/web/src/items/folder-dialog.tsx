import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createFolder, foldersOptions } from '../api/folders.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Select, TextInput } from '../ui/inputs.tsx'
import { Problem } from '../ui/notice.tsx'
import { useAction } from '../ui/use-action.ts'
import { type FolderPlace, inTreeOrder, isWithin } from './folder-order.ts'

/** Adds a folder, or renames or moves the given one. */
export function FolderDialog(props: {
  folder?: FolderPlace
  parentId?: string
  save?: (content: { name: string; parentId: string | null }) => Promise<unknown>
  onClose(): void
}) {
  const { folder, save = createFolder, onClose } = props
  const client = useQueryClient()
  const { data: folders = [] } = useQuery(foldersOptions)
  const [name, setName] = useState(folder?.name ?? '')
  const [parent, setParent] = useState(folder?.parentId ?? props.parentId ?? '')
  const saving = useAction()
  const submit = async () => {
    await save({ name: name.trim(), parentId: parent === '' ? null : parent })
    await client.invalidateQueries({ queryKey: foldersOptions.queryKey })
    onClose()
  }
  const parents = inTreeOrder(folders).filter(({ id }) => folder === undefined || !isWithin(folders, id, folder.id))
  return (
    <Dialog title={folder ? 'Rename or move folder' : 'New folder'} isOpen onOpenChange={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          saving.run(submit)
        }}
      >
        <Field label="Name">
          <TextInput value={name} maxLength={100} required onChange={(event) => setName(event.target.value)} />
        </Field>
        <Field label="Inside">
          <Select value={parent} onChange={(event) => setParent(event.target.value)}>
            <option value="">No other folder</option>
            {parents.map(({ id, path }) => <option key={id} value={id}>{path}</option>)}
          </Select>
        </Field>
        {saving.message !== undefined && <Problem title="Couldn’t save the folder" message={saving.message} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" isBusy={saving.isBusy}>{folder ? 'Save folder' : 'Create folder'}</Button>
        </div>
      </form>
    </Dialog>
  )
}
