import { FolderInput } from 'lucide-react'
import { useState } from 'react'
import type { ItemAddress } from '../api/items.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { OrganizeDialog } from './organize-dialog.tsx'

/** Opens the folder and the tags of an item in a list. It does with the keyboard what dragging does with the mouse. */
export function OrganizeButton({ item, title, className }: { item: ItemAddress; title: string; className?: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <IconButton label={`Folder and tags of ${title}`} icon={<FolderInput />} className={className} onClick={() => setIsOpen(true)} />
      {isOpen && <OrganizeDialog item={item} title={title} onClose={() => setIsOpen(false)} />}
    </>
  )
}
