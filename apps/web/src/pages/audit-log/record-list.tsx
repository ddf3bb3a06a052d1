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
import { filterOf, isFiltered, noChoice, readChoice } from './choice.ts'
import { RecordFilters } from './record-filters.tsx'
import { RecordRow } from './record-row.tsx'

/** What was done, newest first. */
export function RecordList() {
  const [search, setSearch] = useSearchParams()
  const choice = readChoice(search)
  const query = useInfiniteQuery({ ...auditLogOptions(filterOf(choice, Date.now())), placeholderData: keepPreviousData })
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
    if (records.length === 0 && !query.hasNextPage) return nothing()
    return (
      <div className={query.isPlaceholderData ? 'opacity-60' : ''}>
        <RecordTable records={records} addressOf={(record) => urlWith(paths.auditLog, search, { record })} />
        <Pager query={query} />
      </div>
    )
  }

  function nothing() {
    if (!isFiltered(choice)) {
      return (
        <EmptyState title="Nothing has been done yet" icon={<ScrollText />}>
          <p>Whatever somebody changes in the organization from now on stands here.</p>
        </EmptyState>
      )
    }
    return (
      <EmptyState
        title="Nothing matches"
        icon={<ListX />}
        action={<Button onClick={() => choose({ ...noChoice })}>Clear the filters</Button>}
      >
        <p>Ids are looked for as a whole: of a record, a request, a person, a key, or what was acted upon.</p>
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
            <th scope="col" className={`${head} sm:w-[42%]`}>What</th>
            <th scope="col" className={`${head} hidden sm:table-cell`}>Who</th>
            <th scope="col" className={`${head} hidden w-36 lg:table-cell`}>Where</th>
            <th scope="col" className={`${head} w-28 text-right sm:w-40`}>When</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {records.map((record) => <RecordRow key={record.id} record={record} href={addressOf(record.id)} />)}
        </tbody>
      </table>
    </div>
  )
}
