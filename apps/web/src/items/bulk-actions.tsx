import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FolderInput, Tag, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { createFolder, foldersOptions } from '../api/folders.ts'
import { deleteItems, type ItemKind, moveItems, type NamedItem, restoreItems, tagItems, tagsOptions } from '../api/items.ts'
import { ApiError, messageOf } from '../api/request.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Select, TextInput } from '../ui/inputs.tsx'
import { Problem } from '../ui/notice.tsx'
import { useToast } from '../ui/toast.tsx'
import { useAction } from '../ui/use-action.ts'
import { countOf } from './count-of.ts'
import { DeleteUsedItemsDialog, type ItemUser } from './delete-used-items-dialog.tsx'
import { inTreeOrder } from './folder-order.ts'
import { SelectionBar } from './selection-bar.tsx'
import { suggestionsFor, tagsIn, withSuggestion } from './tag-text.ts'
import { useRefreshItems } from './use-refresh-items.ts'
import type { ListSelection } from './use-selection.ts'

/** Moves, tags or deletes the chosen queries or boards. Each can be undone. */
export function BulkActions({ kind, selection }: { kind: ItemKind; selection: ListSelection<{ shortId: string }> }) {
  const [open, setOpen] = useState<'move' | 'tag'>()
  const toast = useToast()
  const refresh = useRefreshItems()
  const deleting = useAction()
  const items = selection.items.map(({ shortId }) => ({ kind, shortId }))
  const fail = (error: unknown) => toast.show({ message: messageOf(error), isProblem: true })
  /** Shows what was done and offers to undo it. */
  const finish = async (message: string, undo: () => Promise<unknown>) => {
    setOpen(undefined)
    selection.clear()
    await refresh()
    toast.show({ message, action: { label: 'Undo', act: () => void undo().then(refresh).catch(fail) } })
  }
  const [users, setUsers] = useState<ItemUser[]>()
  /** Deletes at once unless something uses the items; a deletion can be undone. */
  const remove = (confirmation: { isConfirmed: boolean }) =>
    deleting.run(async () => {
      setUsers(undefined)
      try {
        await deleteItems(items, confirmation)
        await finish(`Deleted ${countOf(kind, items.length)}.`, () => restoreItems(items))
      } catch (error) {
        if (error instanceof ApiError && error.code === 'reference_in_use') setUsers(error.details)
        else fail(error)
      }
    })
  return (
    <>
      <SelectionBar label={kind === 'board' ? 'Selected boards' : 'Selected queries'} selection={selection}>
        <Button size="small" icon={<FolderInput />} onClick={() => setOpen('move')}>Move</Button>
        <Button size="small" icon={<Tag />} onClick={() => setOpen('tag')}>Tag</Button>
        <Button size="small" icon={<Trash2 />} isBusy={deleting.isBusy} onClick={() => remove({ isConfirmed: false })}>Delete</Button>
      </SelectionBar>
      {users && (
        <DeleteUsedItemsDialog
          count={countOf(kind, items.length)}
          users={users}
          onDelete={() => remove({ isConfirmed: true })}
          onClose={() => setUsers(undefined)}
        />
      )}
      {open === 'move' && <MoveDialog kind={kind} items={items} onMoved={finish} onClose={() => setOpen(undefined)} />}
      {open === 'tag' && <TagDialog kind={kind} items={items} onTagged={finish} onClose={() => setOpen(undefined)} />}
    </>
  )
}

type Finish = (message: string, undo: () => Promise<unknown>) => Promise<void>

const top = ''
const newFolder = 'new'

function MoveDialog({ kind, items, onMoved, onClose }: { kind: ItemKind; items: NamedItem[]; onMoved: Finish; onClose(): void }) {
  const { data: folders = [] } = useQuery(foldersOptions)
  const [folder, setFolder] = useState(top)
  const [name, setName] = useState('')
  const moving = useAction()
  const count = countOf(kind, items.length)
  const move = async () => {
    const folderId = folder === newFolder ? (await createFolder({ name: name.trim() })).id : folder === top ? null : folder
    const undo = await moveItems(items.map((item) => ({ ...item, folderId })))
    const place = folder === newFolder ? name.trim() : folders.find(({ id }) => id === folderId)?.name
    await onMoved(place === undefined ? `Moved ${count} out of folders.` : `Moved ${count} to ${place}.`, () => moveItems(undo))
  }
  return (
    <Dialog title={`Move ${count}`} isOpen onOpenChange={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          moving.run(move)
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
        <Buttons label="Move" title="Couldn’t move them" action={moving} onClose={onClose} />
      </form>
    </Dialog>
  )
}

function TagDialog({ kind, items, onTagged, onClose }: { kind: ItemKind; items: NamedItem[]; onTagged: Finish; onClose(): void }) {
  const client = useQueryClient()
  const { data: known = [] } = useQuery(tagsOptions)
  const [text, setText] = useState('')
  const tagging = useAction()
  const count = countOf(kind, items.length)
  const add = tagsIn(text)
  const suggestions = suggestionsFor(text, known.map(({ tag }) => tag))
  const tag = async () => {
    const undo = await tagItems(items.map((item) => ({ ...item, add, remove: [] })))
    void client.invalidateQueries({ queryKey: tagsOptions.queryKey })
    await onTagged(`Tagged ${count} with ${add.join(', ')}.`, () => tagItems(undo))
  }
  return (
    <Dialog title={`Tag ${count}`} isOpen onOpenChange={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (add.length > 0) tagging.run(tag)
        }}
      >
        <Field label="Tags to add" hint="Separate tags with commas.">
          <TextInput value={text} autoComplete="off" required onChange={(event) => setText(event.target.value)} />
        </Field>
        {suggestions.length > 0 && (
          <div role="group" aria-label="Suggested tags" className="-mt-2 flex flex-wrap gap-1.5">
            {suggestions.map((each) => (
              <Button key={each} size="small" onClick={() => setText(withSuggestion(text, each))}>{each}</Button>
            ))}
          </div>
        )}
        <Buttons label="Add tags" title="Couldn’t tag them" action={tagging} onClose={onClose} />
      </form>
    </Dialog>
  )
}

function Buttons(props: { label: string; title: string; action: ReturnType<typeof useAction>; onClose(): void }) {
  const { action } = props
  return (
    <>
      {action.message !== undefined && <Problem title={props.title} message={action.message} />}
      <div className="flex justify-end gap-2">
        <Button onClick={props.onClose}>Cancel</Button>
        <Button type="submit" kind="primary" isBusy={action.isBusy}>{props.label}</Button>
      </div>
    </>
  )
}
