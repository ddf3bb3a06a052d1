import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { ListX, ScrollText } from 'lucide-react'
import { auditLogOptions, type AuditRecord } from '../../api/audit-log.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadProblem } from '../../ui/loaded.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { urlWith, useSearchParams } from '../webhooks/use-search-params.ts'
import { toAuditFilter, isFiltered, noAuditFilters, readAuditFilterParams } from './filter-params.ts'
import { RecordFilters } from './record-filters.tsx'
import { RecordRow } from './record-row.tsx'

/** The recorded actions, newest first. */
export function RecordList() {
  const [search, setSearch] = useSearchParams()
  const choice = readAuditFilterParams(search)
  const query = useInfiniteQuery({ ...auditLogOptions(toAuditFilter(choice, Date.now())), placeholderData: keepPreviousData })
  const records = query.data?.pages.flatMap(({ items }) => items)
  const choose = (change: Record<string, string>) => setSearch(change, { replace: true })
  return (
    <div className="grid grid-cols-1 gap-3">
      <RecordFilters choice={choice} onChange={choose} />
      {content()}
    </div>
  )

  function content() {
    if (!records) {
      return query.isError ? <LoadProblem error={query.error} onRetry={() => void query.refetch()} /> : <Skeleton rows={8} />
    }
    if (records.length === 0 && !query.hasNextPage) return emptyState()
    return (
      <div className={query.isPlaceholderData ? 'opacity-60' : ''}>
        <RecordTable records={records} addressOf={(record) => urlWith(paths.auditLog, search, { record })} />
        <Pager query={query} />
      </div>
    )
  }

  function emptyState() {
    if (!isFiltered(choice)) {
      return (
        <EmptyState title="No actions yet" icon={<ScrollText />}>
          <p>Changes to your organization appear here.</p>
        </EmptyState>
      )
    }
    return (
      <EmptyState
        title="No results"
        icon={<ListX />}
        action={<Button onClick={() => choose({ ...noAuditFilters })}>Clear filters</Button>}
      >
        <p>An ID must match completely. It can be the ID of a record, request, person, API key, or changed object.</p>
      </EmptyState>
    )
  }
}

const head = 'px-3 py-2 text-left text-xs font-medium text-soft'

function RecordTable({ records, addressOf }: { records: AuditRecord[]; addressOf(id: string): string }) {
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <table className="w-full table-fixed border-collapse">
        <caption className="sr-only">Actions, newest first</caption>
        <thead className="border-b border-line">
          <tr>
            <th scope="col" className={`${head} sm:w-[42%]`}>Action</th>
            <th scope="col" className={`${head} hidden sm:table-cell`}>Who</th>
            <th scope="col" className={`${head} hidden w-36 lg:table-cell`}>IP address</th>
            <th scope="col" className={`${head} w-28 text-right sm:w-44`}>Time</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {records.map((record) => <RecordRow key={record.id} record={record} href={addressOf(record.id)} />)}
        </tbody>
      </table>
    </div>
  )
}
