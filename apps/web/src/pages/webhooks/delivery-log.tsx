import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { ListX, Send } from 'lucide-react'
import { type LoggedDelivery, logOptions } from '../../api/deliveries.ts'
import { faultAt } from '../../api/request.ts'
import type { Endpoint } from '../../api/webhook-endpoints.ts'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadProblem } from '../../ui/loaded.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DeliveryRow } from './delivery-row.tsx'
import { toLogFilter, isFiltered, readLogFilterParams } from './log-filter.ts'
import { LogFilters } from './log-filters.tsx'
import { urlWith, useSearchParams } from './use-search-params.ts'

/** The deliveries to the endpoint, newest first. Updates itself. */
export function DeliveryLog({ endpoint }: { endpoint: Endpoint }) {
  const [search, setSearch] = useSearchParams()
  const choice = readLogFilterParams(search)
  const query = useInfiniteQuery({
    ...logOptions(endpoint.id, toLogFilter(choice, Date.now())),
    placeholderData: keepPreviousData,
  })
  const deliveries = query.data?.pages.flatMap(({ items }) => items)
  const searchFault = faultAt(query.error, 'search')
  const choose = (change: Record<string, string>) => setSearch(change, { replace: true })
  return (
    <div className="grid grid-cols-1 gap-3">
      <LogFilters choice={choice} searchFault={searchFault} onChange={choose} />
      {content()}
    </div>
  )

  function content() {
    if (searchFault !== undefined) return null
    if (!deliveries) {
      return query.isError ? <LoadProblem error={query.error} onRetry={() => void query.refetch()} /> : <Skeleton rows={6} />
    }
    if (deliveries.length === 0 && !query.hasNextPage) return emptyState()
    return (
      <div className={query.isPlaceholderData ? 'opacity-60' : ''}>
        <Rows
          deliveries={deliveries}
          addressOf={(delivery) => urlWith(paths.webhookEndpoint(endpoint.id), search, { delivery })}
        />
        <Pager query={query} />
      </div>
    )
  }

  function emptyState() {
    if (isFiltered(choice)) {
      return (
        <EmptyState
          title="No results"
          icon={<ListX />}
          action={<Button onClick={() => choose({ state: '', type: '', period: '', search: '' })}>Clear filters</Button>}
        >
          <p>Deliveries are kept for 32 days.</p>
        </EmptyState>
      )
    }
    return (
      <EmptyState
        title="No deliveries yet"
        icon={<Send />}
        action={
          <>
            <Button kind="primary" onClick={() => setSearch({ tab: 'setup' })}>Send test event</Button>
            <ButtonLink href={paths.automations}>Run an automation</ButtonLink>
          </>
        }
      >
        <p>Deliveries to this endpoint appear here.</p>
      </EmptyState>
    )
  }
}

function Rows({ deliveries, addressOf }: { deliveries: LoggedDelivery[]; addressOf(deliveryId: string): string }) {
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface" aria-label="Deliveries">
      {deliveries.map((delivery) => (
        <DeliveryRow key={delivery.id} delivery={delivery} href={addressOf(delivery.id)} />
      ))}
    </ul>
  )
}
