import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRef } from 'react'
import { boardsInFolderOptions } from '../../api/boards.ts'
import { foldersOptions } from '../../api/folders.ts'
import { foundReferencesOptions } from '../../api/references.ts'
import { navigate } from '../../location.tsx'
import { WithFolders } from '../../items/with-folders.tsx'
import { paths } from '../../paths.ts'
import { inTreeOrder } from '../../items/folder-order.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { NotFoundNotice } from '../../ui/not-found-notice.tsx'
import { Pager } from '../../ui/pager.tsx'
import { useHotkey } from '../../ui/use-hotkey.ts'
import { useTitle } from '../../ui/use-title.ts'
import { BoardList } from '../boards/list/board-list.tsx'
import { NoMatches, NoMatchesYet, NoQueries } from './empty-states.tsx'
import { FilterBar } from './filter-bar.tsx'
import { isFiltered, isFolder, noFilters } from './filters.ts'
import { ReferenceList } from './reference-list.tsx'
import { ReferenceListSkeleton } from './reference-list-skeleton.tsx'
import { useFilters } from './use-filters.ts'
import { useRowKeys } from './use-row-keys.ts'

/** `/queries`: the organization's saved queries, newest first. `/folders/:id`: the boards and queries in a folder. */
export function QueriesPage() {
  const { filters, text, setText, change, clear } = useFilters()
  const inFolder = isFolder(filters.folder)
  const folders = useQuery({ ...foldersOptions, enabled: inFolder })
  const folder = inTreeOrder(folders.data ?? []).find(({ id }) => id === filters.folder)
  useTitle(folder?.name ?? 'Queries')
  const query = useInfiniteQuery(foundReferencesOptions(filters))
  const search = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const onArrow = useRowKeys({ list, search })
  useHotkey('/', () => search.current?.select())
  useHotkey('n', () => navigate(paths.newQuery()))
  const hasFilters = isFiltered(filters)
  const isEmpty = query.data?.length === 0 && !query.isPlaceholderData
  const isFirstUse = isEmpty && !hasFilters
  const isWholeFolder = inFolder && !isFiltered({ ...filters, folder: noFilters.folder })
  if (inFolder && folders.data && !folder) return <NotFoundNotice />
  return (
    <>
      <PageHead
        title={inFolder ? (folder?.name ?? 'Folder') : 'Queries'}
        description={inFolder ? folder && `Boards and queries in ${folder.path}` : 'Saved SQL with results, charts and links to share'}
        actions={
          <>
            <ButtonLink kind="ghost" href={paths.runs}>My recent runs</ButtonLink>
            <ButtonLink kind="primary" icon={<Plus />} href={paths.newQuery()}>New query</ButtonLink>
          </>
        }
      />
      {!isFirstUse && (
        <FilterBar
          filters={filters}
          text={text}
          search={search}
          isBusy={query.isPlaceholderData}
          onText={setText}
          onChange={change}
          onKeyDown={onArrow}
        />
      )}
      <WithFolders shown={filters.folder} onShow={(shown) => change({ folder: shown })}>
        {isWholeFolder && <BoardsInFolder folder={filters.folder} />}
        {isWholeFolder && <h2 className="text-base">Queries</h2>}
        <Loaded query={query} skeleton={<ReferenceListSkeleton />}>
          {(items) => {
            if (!isEmpty) return <ReferenceList items={items} ref={list} isStale={query.isPlaceholderData} onKeyDown={onArrow} />
            if (isFirstUse) return <NoQueries />
            if (isWholeFolder) return <p className="text-soft">No queries in this folder.</p>
            return query.hasNextPage ? <NoMatchesYet /> : <NoMatches filters={filters} onClear={clear} />
          }}
        </Loaded>
      </WithFolders>
      <p className="sr-only" role="status">
        {query.isPlaceholderData ? '' : searchAnnouncement(query.data?.length, query.hasNextPage, hasFilters)}
      </p>
      <Pager query={query} />
    </>
  )
}

/** Nothing if it has no boards. */
function BoardsInFolder({ folder }: { folder: string }) {
  const query = useInfiniteQuery(boardsInFolderOptions(folder))
  if (!query.data || query.data.length === 0) return null
  return (
    <>
      <h2 className="text-base">Boards</h2>
      <BoardList items={query.data} />
      <Pager query={query} />
    </>
  )
}

/** Announced to screen readers once a search has settled. */
function searchAnnouncement(count: number | undefined, hasMore: boolean, hasFilters: boolean): string {
  if (count === undefined || !hasFilters) return ''
  return `${hasMore ? 'More than ' : ''}${count} ${count === 1 ? 'query' : 'queries'} found`
}
