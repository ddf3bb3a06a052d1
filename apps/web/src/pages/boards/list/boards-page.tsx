import { useInfiniteQuery } from '@tanstack/react-query'
import { LayoutDashboard, Plus } from 'lucide-react'
import { boardsInFolderOptions } from '../../../api/boards.ts'
import type { ShownFolder } from '../../../items/folder-tree.tsx'
import { WithFolders } from '../../../items/with-folders.tsx'
import { navigate } from '../../../location.tsx'
import { paths } from '../../../paths.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { PageHead } from '../../../ui/page-head.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { useHotkey } from '../../../ui/use-hotkey.ts'
import { useTitle } from '../../../ui/use-title.ts'
import { BoardList } from './board-list.tsx'
import { DescribeBoard } from './describe-board.tsx'
import { useLocation } from '../../../use-location.ts'

/** `/boards` */
export function BoardsPage() {
  useTitle('Boards')
  const folder = new URLSearchParams(useLocation().search).get('folder') ?? ''
  const query = useInfiniteQuery(boardsInFolderOptions(folder))
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
        <WithFolders shown={folder} onShow={(shown) => navigate(addressOf(shown))}>
          <Loaded query={query}>
            {(items) => {
              if (items.length > 0) return <BoardList items={items} />
              return folder === '' ? <NoBoards /> : <p className="text-soft">No boards here.</p>
            }}
          </Loaded>
        </WithFolders>
      </div>
      <Pager query={query} />
    </>
  )
}

/** A folder has a page, with its boards and queries. */
function addressOf(folder: ShownFolder): string {
  if (folder === '') return paths.boards
  return folder === 'none' ? `${paths.boards}?folder=none` : paths.folder(folder)
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
