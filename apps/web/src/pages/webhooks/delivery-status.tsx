import type { LoggedDelivery } from '../../api/deliveries.ts'
import { Badge, type BadgeColor } from '../../ui/badge.tsx'

type DeliveryProgress = Pick<LoggedDelivery, 'state' | 'attemptCount' | 'isBeingSent'>

/** The label and color of a delivery's status. */
export function statusOf({ state, attemptCount, isBeingSent }: DeliveryProgress): { label: string; colour: BadgeColor } {
  if (state === 'delivered') return { label: 'Delivered', colour: 'good' }
  if (state === 'exhausted') return { label: 'Failed', colour: 'danger' }
  if (state === 'held') return { label: 'Held', colour: 'plain' }
  if (isBeingSent) return { label: 'Sending…', colour: 'accent' }
  return attemptCount === 0 ? { label: 'Pending', colour: 'plain' } : { label: 'Retrying', colour: 'warning' }
}

export function DeliveryStatus({ delivery }: { delivery: DeliveryProgress }) {
  const { label, colour } = statusOf(delivery)
  return <Badge colour={colour}>{label}</Badge>
}
