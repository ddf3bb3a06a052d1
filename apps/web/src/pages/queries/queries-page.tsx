import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRef } from 'react'
import { foundReferencesOptions } from '../../api/references.ts'
import { navigate } from '../../location.tsx'
import { WithFolders } from '../../items/with-folders.tsx'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Pager } from '../../ui/pager.tsx'
import { useHotkey } from '../../ui/use-hotkey.ts'
import { useTitle } from '../../ui/use-title.ts'
import { NoMatches, NoMatchesYet, NoQueries } from './empty-states.tsx'
import { FilterBar } from './filter-bar.tsx'
import { isFiltered } from './filters.ts'
import { ReferenceList } from './reference-list.tsx'
import { ReferenceListSkeleton } from './reference-list-skeleton.tsx'
import { useFilters } from './use-filters.ts'
import { useRowKeys } from './use-row-keys.ts'

/** `/queries`: the organization's saved queries, newest first. */
export function QueriesPage() {
  useTitle('Queries')
  const { filters, text, setText, change, clear } = useFilters()
  const query = useInfiniteQuery(foundReferencesOptions(filters))
  const search = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const onArrow = useRowKeys({ list, search })
  useHotkey('/', () => search.current?.select())
  useHotkey('n', () => navigate(paths.newQuery()))
  const hasFilters = isFiltered(filters)
  const isEmpty = query.data?.length === 0 && !query.isPlaceholderData
  const isFirstUse = isEmpty && !hasFilters
  return (
    <>
      <PageHead
        title="Queries"
        description="Saved SQL with results, charts and links to share"
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
      <WithFolders shown={filters.folder} onShow={(folder) => change({ folder })}>
        <Loaded query={query} skeleton={<ReferenceListSkeleton />}>
          {(items) => {
            if (!isEmpty) return <ReferenceList items={items} ref={list} isStale={query.isPlaceholderData} onKeyDown={onArrow} />
            if (isFirstUse) return <NoQueries />
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

/** Announced to screen readers once a search has settled. */
function searchAnnouncement(count: number | undefined, hasMore: boolean, hasFilters: boolean): string {
  if (count === undefined || !hasFilters) return ''
  return `${hasMore ? 'More than ' : ''}${count} ${count === 1 ? 'query' : 'queries'} found`
}
