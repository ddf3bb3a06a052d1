import { useQuery } from '@tanstack/react-query'
import { Folder, LayoutDashboard, Star } from 'lucide-react'
import type { ListedBoard } from '../../../api/boards.ts'
import { foldersOptions } from '../../../api/folders.ts'
import { favoritesOptions } from '../../../api/items.ts'
import { BulkActions } from '../../../items/bulk-actions.tsx'
import { startDrag } from '../../../items/dragged-item.ts'
import { ItemList } from '../../../items/item-list.tsx'
import { OrganizeButton } from '../../../items/organize-button.tsx'
import { iconClass, SelectBox } from '../../../items/select-box.tsx'
import { type ListSelection, useSelection } from '../../../items/use-selection.ts'
import { Link } from '../../../location.tsx'
import { paths } from '../../../paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { RelativeTime } from '../../../ui/time.tsx'

/** Favorites first. */
export function BoardList({ items }: { items: ListedBoard[] }) {
  const folders = useQuery(foldersOptions)
  const favorites = useQuery(favoritesOptions)
  const isFavorite = ({ shortId }: ListedBoard) => favorites.data?.some((item) => item.kind === 'board' && item.shortId === shortId) ?? false
  const ordered = [...items.filter(isFavorite), ...items.filter((board) => !isFavorite(board))]
  const folderName = (id: string | null) => folders.data?.find((folder) => folder.id === id)?.name
  const selection = useSelection(ordered)
  return (
    <>
      <ItemList label="Boards" items={ordered} keyOf={({ id }) => id} selection={selection}>
        {(board) => (
          <BoardItem
            board={board}
            isSelected={selection.isSelected(board)}
            isSelecting={selection.items.length > 0}
            onToggle={selection.toggle}
            isFavorite={isFavorite(board)}
            folder={folderName(board.folderId)}
          />
        )}
      </ItemList>
      <BulkActions kind="board" selection={selection} />
    </>
  )
}

function BoardItem({ board, isSelected, isSelecting, onToggle, isFavorite, folder }: {
  board: ListedBoard
  isSelected: boolean
  isSelecting: boolean
  onToggle: ListSelection<ListedBoard>['toggle']
  isFavorite: boolean
  folder: string | undefined
}) {
  const { shortId, title, description, tileCount, tags, updatedAt, createdBy, version } = board
  const item = { kind: 'board', shortId, version } as const
  return (
    <li className={`group relative ${isSelected ? 'bg-accent-wash' : ''}`}>
      <SelectBox item={board} isSelected={isSelected} isSelecting={isSelecting} onToggle={onToggle} />
      <Link
        href={paths.board(shortId)}
        draggable
        onDragStart={(event) => startDrag(event, { ...item, title })}
        className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3 gap-y-1 py-3 pr-12 pl-4 text-ink no-underline hover:bg-raised focus-visible:-outline-offset-2 lg:grid-cols-[1rem_minmax(0,1fr)_minmax(0,10rem)_11rem] lg:items-center"
      >
        <span className={iconClass(isSelecting)}><LayoutDashboard className="mt-0.5 size-4 text-soft lg:mt-0" aria-hidden="true" /></span>
        <span className="grid min-w-0 gap-0.5">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium [overflow-wrap:anywhere]">
            {title} {isFavorite && <Star className="size-3.5 shrink-0 fill-current text-accent" role="img" aria-label="Favorite" />}
            {tags.map((tag) => <Badge key={tag}>{tag}</Badge>)}
          </span>
          {description !== null && description !== '' && <span className="truncate text-sm text-soft">{description}</span>}
        </span>
        <span className="col-start-2 flex flex-wrap gap-x-3 text-xs text-soft lg:contents lg:text-sm">
          <span className="flex min-w-0 items-center gap-1">
            {folder !== undefined && (
              <>
                <Folder className="size-3.5 shrink-0" role="img" aria-label="Folder" /> <span className="truncate">{folder}</span> ·
              </>
            )}
            <span className="whitespace-nowrap">{tileCount} {tileCount === 1 ? 'tile' : 'tiles'}</span>
          </span>
          <span className="whitespace-nowrap lg:text-right">
            {createdBy && <span className="sr-only">Created by {createdBy.name}. </span>}
            Updated <RelativeTime at={updatedAt} />
          </span>
        </span>
      </Link>
      <OrganizeButton item={item} title={title} className="absolute top-2.5 right-2.5 lg:top-1/2 lg:-translate-y-1/2" />
    </li>
  )
}
