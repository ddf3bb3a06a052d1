import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Folder, LayoutDashboard, Plus, Star } from 'lucide-react'
import { boardsOptions, type ListedBoard } from '../../../api/boards.ts'
import { foldersOptions } from '../../../api/folders.ts'
import { favoritesOptions } from '../../../api/items.ts'
import { startDrag } from '../../../items/dragged-item.ts'
import { OrganizeButton } from '../../../items/organize-button.tsx'
import { WithFolders } from '../../../items/with-folders.tsx'
import { Link, navigate } from '../../../location.tsx'
import { paths } from '../../../paths.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { PageHead } from '../../../ui/page-head.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { RelativeTime } from '../../../ui/time.tsx'
import { useHotkey } from '../../../ui/use-hotkey.ts'
import { useTitle } from '../../../ui/use-title.ts'
import { DescribeBoard } from './describe-board.tsx'
import { useLocation } from '../../../use-location.ts'

/** `/boards` */
export function BoardsPage() {
  useTitle('Boards')
  const query = useInfiniteQuery(boardsOptions)
  const folder = new URLSearchParams(useLocation().search).get('folder') ?? ''
  useHotkey('n', () => navigate(paths.newBoard))
  return (
    <>
      <PageHead
        title="Boards"
        description="Charts, tables and numbers of several queries on one page"
        actions={<ButtonLink kind="primary" icon={<Plus />} href={paths.newBoard}>New board</ButtonLink>}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <DescribeBoard />
        <WithFolders shown={folder} onShow={(shown) => navigate(shown === '' ? paths.boards : `${paths.boards}?${new URLSearchParams({ folder: shown })}`)}>
          <Loaded query={query}>{(items) => (items.length === 0 ? <NoBoards /> : <Boards items={items.filter((board) => isIn(board, folder))} />)}</Loaded>
        </WithFolders>
      </div>
      <Pager query={query} />
    </>
  )
}

const isIn = ({ folderId }: ListedBoard, folder: string) => folder === '' || (folderId ?? 'none') === folder

/** Favorites first. */
function Boards({ items }: { items: ListedBoard[] }) {
  const folders = useQuery(foldersOptions)
  const favorites = useQuery(favoritesOptions)
  const isFavorite = ({ shortId }: ListedBoard) => favorites.data?.some((item) => item.kind === 'board' && item.shortId === shortId) ?? false
  const ordered = [...items.filter(isFavorite), ...items.filter((board) => !isFavorite(board))]
  const folderName = (id: string | null) => folders.data?.find((folder) => folder.id === id)?.name
  return (
    <Card className="overflow-hidden">
      <ul className="divide-y divide-line" aria-label="Boards">
        {ordered.map((board) => (
          <BoardItem key={board.id} board={board} isFavorite={isFavorite(board)} folder={folderName(board.folderId)} />
        ))}
      </ul>
    </Card>
  )
}

function BoardItem({ board, isFavorite, folder }: { board: ListedBoard; isFavorite: boolean; folder: string | undefined }) {
  const { shortId, title, description, tileCount, updatedAt, createdBy, version } = board
  const item = { kind: 'board', shortId, version } as const
  return (
    <li className="relative">
      <Link
        href={paths.board(shortId)}
        draggable
        onDragStart={(event) => startDrag(event, { ...item, title })}
        className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3 gap-y-1 py-3 pr-12 pl-4 text-ink no-underline hover:bg-raised focus-visible:-outline-offset-2 lg:grid-cols-[1rem_minmax(0,1fr)_10rem_10rem] lg:items-center"
      >
        <LayoutDashboard className="mt-0.5 size-4 text-soft lg:mt-0" aria-hidden="true" />
        <span className="grid min-w-0 gap-0.5">
          <span className="flex items-center gap-1.5 font-medium [overflow-wrap:anywhere]">
            {title} {isFavorite && <Star className="size-3.5 shrink-0 fill-current text-accent" role="img" aria-label="Favorite" />}
          </span>
          {description !== null && description !== '' && <span className="truncate text-sm text-soft">{description}</span>}
        </span>
        <span className="col-start-2 flex flex-wrap gap-x-3 text-xs text-soft lg:contents lg:text-sm">
          <span className="flex min-w-0 items-center gap-1 truncate">
            {folder !== undefined && <><Folder className="size-3.5 shrink-0" aria-label="Folder" /> {folder} · </>}
            {tileCount} {tileCount === 1 ? 'tile' : 'tiles'}
          </span>
          <span className="truncate lg:text-right">
            {createdBy && <span className="sr-only">Created by {createdBy.name}. </span>}
            Updated <RelativeTime at={updatedAt} />
          </span>
        </span>
      </Link>
      <OrganizeButton item={item} title={title} className="absolute top-2.5 right-2.5" />
    </li>
  )
}

function NoBoards() {
  return (
    <EmptyState
      title="No boards yet"
      icon={<LayoutDashboard />}
      action={<ButtonLink kind="primary" href={paths.newBoard}>Create board</ButtonLink>}
    >
      <p>A board puts the results of several queries on one page, with parameters that filter all of them. Share it as a link, or show it on a wall.</p>
    </EmptyState>
  )
}
