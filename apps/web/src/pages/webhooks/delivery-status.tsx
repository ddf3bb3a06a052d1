import type { LoggedDelivery } from '../../api/deliveries.ts'
import { Badge, type BadgeColor } from '../../ui/badge.tsx'

type DeliveryProgress = Pick<LoggedDelivery, 'state' | 'attemptCount' | 'isBeingSent'>

/** The label and color of a delivery's status. */
export function statusOf({ state, attemptCount, isBeingSent }: DeliveryProgress): { label: string; color: BadgeColor } {
  if (state === 'delivered') return { label: 'Delivered', color: 'good' }
  if (state === 'exhausted') return { label: 'Failed', color: 'danger' }
  if (state === 'held') return { label: 'Held', color: 'plain' }
  if (isBeingSent) return { label: 'Sending…', color: 'accent' }
  return attemptCount === 0 ? { label: 'Pending', color: 'plain' } : { label: 'Retrying', color: 'warning' }
}

export function DeliveryStatus({ delivery }: { delivery: DeliveryProgress }) {
  const { label, color } = statusOf(delivery)
  return <Badge color={color}>{label}</Badge>
}
