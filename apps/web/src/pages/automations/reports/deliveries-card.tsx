import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ReportDelivery, reportDeliveriesOptions } from '../../../api/reports.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Card } from '../../../ui/card.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { RelativeTime } from '../../../ui/time.tsx'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { deliveryStatus, describeOutcome } from './describe-report.ts'

/** What was sent after runs of the automation, newest first. Hidden while there is nothing. */
export function DeliveriesCard({ automationId }: { automationId: string }) {
  const query = useInfiniteQuery(reportDeliveriesOptions(automationId))
  const [openedId, setOpenedId] = useState<string>()
  if (!query.data || query.data.length === 0) return null
  return (
    <Card title="Deliveries">
      <ul className="-m-4 divide-y divide-line" aria-label="Deliveries">
        {query.data.map((delivery) => <DeliveryItem key={delivery.id} delivery={delivery} onOpen={() => setOpenedId(delivery.id)} />)}
      </ul>
      <Pager query={query} />
      {openedId !== undefined && <DeliveryDialog id={openedId} automationId={automationId} onClose={() => setOpenedId(undefined)} />}
    </Card>
  )
}

function DeliveryItem({ delivery, onOpen }: { delivery: ReportDelivery; onOpen(): void }) {
  const { recipient, purpose, createdAt, nextAttemptAt } = delivery
  const { label, color } = deliveryStatus(delivery)
  const outcome = describeOutcome(delivery)
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        className="grid w-full grid-cols-[6rem_minmax(0,1fr)] items-start gap-x-3 gap-y-0.5 px-4 py-2.5 text-left hover:bg-raised focus-visible:-outline-offset-2 sm:grid-cols-[6rem_minmax(0,1fr)_auto]"
      >
        <span><Badge color={color}>{label}</Badge></span>
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 [overflow-wrap:anywhere]">
          {recipient}
          {purpose === 'test' && <Badge>Test</Badge>}
          {purpose === 'confirmation' && <Badge>Request to confirm</Badge>}
        </span>
        <span className="col-start-2 text-xs text-soft sm:col-start-auto"><RelativeTime key={createdAt} at={createdAt} /></span>
        {outcome !== undefined && (
          <span className="col-start-2 text-xs text-soft [overflow-wrap:anywhere] sm:col-start-2 sm:col-span-2">
            {outcome}
            {nextAttemptAt !== null && delivery.attempts.length > 0 && <> Next attempt <RelativeTime key={nextAttemptAt} at={nextAttemptAt} />.</>}
          </span>
        )}
      </button>
    </li>
  )
}
