import { useQueryClient } from '@tanstack/react-query'
import { Copy, CopyPlus, Ellipsis, FileText, FolderInput, History, MonitorPlay, Sheet, Trash2, Workflow } from 'lucide-react'
import { useState } from 'react'
import { type Board, boardFileUrl, boardListKey, boardOptions, type BoardValues, deleteBoard, duplicateBoard, restoreBoardVersion } from '../../../api/boards.ts'
import { messageOf } from '../../../api/request.ts'
import { OrganizeDialog } from '../../../items/organize-dialog.tsx'
import { navigate } from '../../../location.tsx'
import { paths } from '../../../paths.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuDivider, MenuItem, MenuLink } from '../../../ui/menu.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { ItemLineageDialog } from '../../lineage/item-lineage-dialog.tsx'
import { BoardVersionsPanel } from '../versions/versions-panel.tsx'
import { DisplayDialog } from './display-dialog.tsx'

/** What can be done with a board as a whole. The toast offers to undo a deletion. */
export function BoardMenu({ board, isManaged, values }: { board: Board; isManaged: boolean; values: BoardValues }) {
  const { shortId, title, version } = board
  const [open, setOpen] = useState<'versions' | 'display' | 'organize' | 'lineage'>()
  const client = useQueryClient()
  const toast = useToast()
  const attempt = (act: () => Promise<void>) => {
    act().catch((error: unknown) => toast.show({ message: messageOf(error), isProblem: true }))
  }
  const copyLink = async () => {
    await navigator.clipboard.writeText(window.location.href)
    toast.show({ message: 'Link copied.' })
  }
  const duplicate = async () => {
    const copy = await duplicateBoard(shortId)
    void client.invalidateQueries({ queryKey: boardListKey })
    toast.show({ message: 'Board duplicated. This is the copy.' })
    navigate(paths.board(copy.shortId))
  }
  const restore = async () => {
    const restored = await restoreBoardVersion(shortId, version)
    client.setQueryData(boardOptions(shortId).queryKey, restored)
    void client.invalidateQueries({ queryKey: boardListKey })
    navigate(paths.board(shortId))
  }
  const remove = async () => {
    await deleteBoard(shortId, version)
    navigate(paths.boards)
    // Not read again while the page is still open: it would be missing.
    void client.invalidateQueries({ queryKey: ['boards', shortId], refetchType: 'none' })
    void client.invalidateQueries({ queryKey: boardListKey })
    toast.show({ message: `Deleted “${title}”.`, action: { label: 'Undo', act: () => attempt(restore) } })
  }
  return (
    <>
      <Menu trigger={<IconButton label="More actions" icon={<Ellipsis />} />}>
        <MenuItem icon={<Copy />} onSelect={() => attempt(copyLink)}>Copy link</MenuItem>
        <MenuItem icon={<MonitorPlay />} onSelect={() => setOpen('display')}>Full screen</MenuItem>
        <MenuLink icon={<FileText />} href={boardFileUrl(shortId, 'pdf', values)} download>Download as PDF</MenuLink>
        <MenuLink icon={<Sheet />} href={boardFileUrl(shortId, 'xlsx', values)} download>Download as Excel</MenuLink>
        <MenuItem icon={<Workflow />} onSelect={() => setOpen('lineage')}>Lineage</MenuItem>
        <MenuItem icon={<History />} onSelect={() => setOpen('versions')}>Version history</MenuItem>
        <MenuItem icon={<FolderInput />} onSelect={() => setOpen('organize')}>Folder and tags</MenuItem>
        <MenuItem icon={<CopyPlus />} onSelect={() => attempt(duplicate)}>Duplicate board</MenuItem>
        {!isManaged && (
          <>
            <MenuDivider />
            <MenuItem icon={<Trash2 />} isDangerous onSelect={() => attempt(remove)}>Delete board</MenuItem>
          </>
        )}
      </Menu>
      {open === 'versions' && <BoardVersionsPanel board={board} onClose={() => setOpen(undefined)} />}
      {open === 'lineage' && <ItemLineageDialog item={{ kind: 'board', shortId }} onClose={() => setOpen(undefined)} />}
      {open === 'organize' && <OrganizeDialog item={{ kind: 'board', shortId, version }} title={title} onClose={() => setOpen(undefined)} />}
      {open === 'display' && <DisplayDialog board={board} onClose={() => setOpen(undefined)} />}
    </>
  )
}
