import { attemptsMax, type LoggedDelivery } from '../../api/deliveries.ts'
import { Link } from '../../location.tsx'
import { Badge } from '../../ui/badge.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { DeliveryStatus } from './delivery-status.tsx'
import { aboutEventTypes } from '../../api/generated/event-types.ts'

const columns = 'grid-cols-[6rem_minmax(0,1fr)] sm:grid-cols-[6rem_minmax(0,1fr)_minmax(0,1.6fr)_7rem]'
const row = `relative grid ${columns} items-center gap-x-3 gap-y-0.5 px-4 py-2.5 hover:bg-raised focus-within:bg-raised`

export function DeliveryRow({ delivery, href }: { delivery: LoggedDelivery; href: string }) {
  return (
    <li className={row}>
      <span><DeliveryStatus delivery={delivery} /></span>
      <span className="flex min-w-0 flex-wrap items-center gap-x-2">
        <Link href={href} className="text-ink no-underline after:absolute after:inset-0">
          {aboutEventTypes[delivery.eventType].label}
        </Link>
        {delivery.isTest && <Badge>Test</Badge>}
        {delivery.requestedBy !== null && <Badge>Resent</Badge>}
        <code className="block w-full truncate text-xs text-soft">{delivery.eventId}</code>
      </span>
      <span className="col-start-2 min-w-0 truncate text-xs text-soft sm:col-start-auto">{outcomeOf(delivery)}</span>
      <span className="col-start-2 text-xs text-soft sm:col-start-auto sm:text-right">
        <RelativeTime at={delivery.createdAt} />
      </span>
    </li>
  )
}

function outcomeOf(delivery: LoggedDelivery) {
  const last = delivery.attempts.at(-1)
  if (!last) return delivery.state === 'held' ? 'Not sent yet' : 'No attempt yet'
  const isFirst = delivery.attemptCount === 1 && !last.failure
  const attempt = isFirst ? 'first attempt' : `attempt ${delivery.attemptCount} of ${attemptsMax}`
  return (
    <>
      {last.failure ? last.failure.message.replace(/\.$/, '') : `Responded ${last.status}`} · {attempt}
      {delivery.isWaiting && <> · waits for an earlier event</>}
      {delivery.state === 'pending' && delivery.nextAttemptAt !== null && !delivery.isBeingSent && (
        <> · next <RelativeTime at={delivery.nextAttemptAt} /></>
      )}
    </>
  )
}
