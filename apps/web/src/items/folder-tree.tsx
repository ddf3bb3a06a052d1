import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Folder as FolderIcon, FolderOpen, GitBranch } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import { deleteFolder, editFolder, foldersOptions } from '../api/folders.ts'
import { moveItem } from '../api/items.ts'
import { messageOf } from '../api/request.ts'
import { classNames } from '../ui/class-names.ts'
import { Field } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Select } from '../ui/inputs.tsx'
import { Menu, MenuDivider, MenuItem } from '../ui/menu.tsx'
import { useToast } from '../ui/toast.tsx'
import { type DraggedItem, droppedItem, isItem } from './dragged-item.ts'
import { FolderDialog } from './folder-dialog.tsx'
import { inTreeOrder, type PlacedFolder } from './folder-order.ts'
import { useManagedUrl } from './managed-badge.tsx'
import { refreshItems } from './organize-dialog.tsx'

/** Which folder a list shows: everything, what is in no folder, or the folder with this id. */
export type ShownFolder = '' | 'none' | (string & {})

/**
 * The folders of queries and boards. Choosing one filters the list beside it, and dropping an item on one moves it there; the menu of an
 * item does the same without a mouse. Shows nothing until there is a folder.
 */
export function FolderTree({ shown, onShow }: { shown: ShownFolder; onShow(folder: ShownFolder): void }) {
  const { data: folders = [] } = useQuery(foldersOptions)
  const client = useQueryClient()
  const toast = useToast()
  if (folders.length === 0) return null
  const placed = inTreeOrder(folders)
  const move = async (item: DraggedItem, folderId: string | null) => {
    await moveItem(item, folderId)
    await refreshItems(client, item)
    const name = folders.find(({ id }) => id === folderId)?.name
    toast.show({ message: name === undefined ? `Moved “${item.title}” out of its folder.` : `Moved “${item.title}” to ${name}.` })
  }
  const drop = (folderId: string | null) => (item: DraggedItem) => {
    move(item, folderId).catch((error: unknown) => toast.show({ message: messageOf(error), isProblem: true }))
  }
  return (
    <>
      <Field label="Folder" className="lg:hidden">
        <Select value={shown} onChange={(event) => onShow(event.target.value)}>
          <option value="">All folders</option>
          <option value="none">No folder</option>
          {placed.map(({ id, path }) => <option key={id} value={id}>{path}</option>)}
        </Select>
      </Field>
      <nav aria-label="Folders" className="hidden content-start gap-0.5 lg:grid">
        <FolderRow name="All folders" depth={0} isShown={shown === ''} onShow={() => onShow('')} />
        <FolderRow name="No folder" depth={0} isShown={shown === 'none'} onShow={() => onShow('none')} onDrop={drop(null)} />
        {placed.map((folder) => (
          <FolderRow
            key={folder.id}
            name={folder.name}
            depth={folder.depth}
            isShown={shown === folder.id}
            onShow={() => onShow(folder.id)}
            onDrop={drop(folder.id)}
            menu={<FolderMenu folder={folder} onDeleted={() => onShow('')} />}
          />
        ))}
      </nav>
    </>
  )
}

function FolderRow(props: {
  name: string
  depth: number
  isShown: boolean
  onShow(): void
  onDrop?: (item: DraggedItem) => void
  menu?: React.ReactNode
}) {
  const { name, isShown, onDrop } = props
  const [isOver, setIsOver] = useState(false)
  const targets = onDrop && {
    onDragOver(event: DragEvent) {
      if (!isItem(event)) return
      event.preventDefault()
      setIsOver(true)
    },
    onDragLeave: () => setIsOver(false),
    onDrop(event: DragEvent) {
      event.preventDefault()
      setIsOver(false)
      const item = droppedItem(event)
      if (item) onDrop(item)
    },
  }
  return (
    <div
      {...targets}
      style={{ paddingLeft: `${props.depth * 0.9}rem` }}
      className={classNames('group flex items-center rounded-md', isOver && 'bg-raised outline-2 outline-accent')}
    >
      <button
        type="button"
        aria-current={isShown ? 'true' : undefined}
        className={classNames(
          'flex min-w-0 grow items-center gap-2 rounded-md px-2 py-1.5 text-left text-sm hover:bg-raised [&_svg]:size-4 [&_svg]:shrink-0',
          isShown ? 'bg-raised font-medium' : 'text-soft',
        )}
        onClick={props.onShow}
      >
        {isShown ? <FolderOpen aria-hidden="true" /> : <FolderIcon aria-hidden="true" />}
        <span className="truncate">{name}</span>
      </button>
      {props.menu}
    </div>
  )
}

function FolderMenu({ folder, onDeleted }: { folder: PlacedFolder; onDeleted(): void }) {
  const [dialog, setDialog] = useState<'edit' | 'add'>()
  const client = useQueryClient()
  const toast = useToast()
  const managedUrl = useManagedUrl('folder', folder.id)
  const remove = async () => {
    await deleteFolder(folder.id)
    await client.invalidateQueries({ queryKey: foldersOptions.queryKey })
    onDeleted()
  }
  if (managedUrl !== undefined) {
    return (
      <a href={managedUrl} target="_blank" rel="noreferrer" title="Managed in Git" className="flex size-7 items-center justify-center rounded-md text-soft hover:bg-raised">
        <GitBranch className="size-4" aria-hidden="true" />
        <span className="sr-only">{`The folder ${folder.name} is managed in Git`}</span>
      </a>
    )
  }
  return (
    <>
      <Menu trigger={<IconButton label={`Actions for the folder ${folder.name}`} icon={<Ellipsis />} className="size-7" />}>
        <MenuItem onSelect={() => setDialog('edit')}>Rename or move</MenuItem>
        <MenuItem onSelect={() => setDialog('add')}>New folder inside</MenuItem>
        <MenuDivider />
        <MenuItem
          isDangerous
          onSelect={() => {
            remove().catch((error: unknown) => toast.show({ message: messageOf(error), isProblem: true }))
          }}
        >
          Delete folder
        </MenuItem>
      </Menu>
      {dialog === 'edit' && <FolderDialog folder={folder} save={(content) => editFolder(folder.id, content)} onClose={() => setDialog(undefined)} />}
      {dialog === 'add' && <FolderDialog parentId={folder.id} onClose={() => setDialog(undefined)} />}
    </>
  )
}
