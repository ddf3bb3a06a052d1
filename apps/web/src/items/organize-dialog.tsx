import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createFolder, foldersOptions } from '../api/folders.ts'
import { type ItemAddress, type ItemMarks, marksOptions, moveItem, setTags, tagsOptions } from '../api/items.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Select, TextInput } from '../ui/inputs.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Problem } from '../ui/notice.tsx'
import { useAction } from '../ui/use-action.ts'
import { inTreeOrder } from './folder-order.ts'
import { suggestionsFor, tagsIn, tagText, withSuggestion } from './tag-text.ts'

/** The folder and the tags of a query or a board. */
export function OrganizeDialog({ item, title, onClose }: { item: ItemAddress; title: string; onClose(): void }) {
  const marks = useQuery({ ...marksOptions(item), staleTime: 0 })
  return (
    <Dialog title="Folder and tags" description={title} isOpen onOpenChange={onClose}>
      <Loaded query={marks}>{(found) => <OrganizeForm item={item} marks={found} onSaved={onClose} />}</Loaded>
    </Dialog>
  )
}

const top = ''
const newFolder = 'new'

function OrganizeForm({ item, marks, onSaved }: { item: ItemAddress; marks: ItemMarks; onSaved(): void }) {
  const client = useQueryClient()
  const { data: folders = [] } = useQuery(foldersOptions)
  const { data: known = [] } = useQuery(tagsOptions)
  const [folder, setFolder] = useState(marks.folderId ?? top)
  const [name, setName] = useState('')
  const [text, setText] = useState(tagText(marks.tags))
  const saving = useAction()
  const suggestions = suggestionsFor(text, known.map(({ tag }) => tag))
  const save = async () => {
    const folderId = folder === newFolder ? (await createFolder({ name: name.trim() })).id : folder === top ? null : folder
    const tags = tagsIn(text)
    if (tagText(tags) !== tagText(marks.tags)) await setTags(item, tags)
    if (folderId !== marks.folderId) await moveItem(item, folderId)
    await refreshItems(client, item)
    onSaved()
  }
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        saving.run(save)
      }}
    >
      <Field label="Folder">
        <Select value={folder} onChange={(event) => setFolder(event.target.value)}>
          <option value={top}>No folder</option>
          {inTreeOrder(folders).map(({ id, path }) => <option key={id} value={id}>{path}</option>)}
          <option value={newFolder}>New folder…</option>
        </Select>
      </Field>
      {folder === newFolder && (
        <Field label="Name of the new folder">
          <TextInput value={name} maxLength={100} required autoFocus onChange={(event) => setName(event.target.value)} />
        </Field>
      )}
      <Field label="Tags" hint="Separate tags with commas.">
        <TextInput value={text} autoComplete="off" onChange={(event) => setText(event.target.value)} />
      </Field>
      {suggestions.length > 0 && (
        <div role="group" aria-label="Suggested tags" className="-mt-2 flex flex-wrap gap-1.5">
          {suggestions.map((tag) => (
            <Button key={tag} size="small" onClick={() => setText(withSuggestion(text, tag))}>{tag}</Button>
          ))}
        </div>
      )}
      {saving.message !== undefined && <Problem title="Couldn’t save" message={saving.message} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onSaved}>Cancel</Button>
        <Button type="submit" kind="primary" isBusy={saving.isBusy}>Save</Button>
      </div>
    </form>
  )
}

/** Reads again what depends on the folder and the tags of an item. */
export async function refreshItems(client: ReturnType<typeof useQueryClient>, { kind, shortId }: ItemAddress): Promise<void> {
  const lists = kind === 'board' ? ['boards'] : ['references', 'found']
  const keys = [['items', 'marks', kind, shortId], tagsOptions.queryKey, foldersOptions.queryKey, lists]
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
}
