import { Share2 } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../ui/icon-button.tsx'
import { type SharedItem, ShareDialog } from './share-dialog.tsx'

/** Opens the public links of a query or a board. */
export function ShareButton({ item }: { item: SharedItem }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <IconButton label="Share" icon={<Share2 />} onClick={() => setIsOpen(true)} />
      {isOpen && <ShareDialog item={item} onClose={() => setIsOpen(false)} />}
    </>
  )
}
