import type { LoggedDelivery } from '../../api/deliveries.ts'
import { Badge, type BadgeColour } from '../../ui/badge.tsx'

type Standing = Pick<LoggedDelivery, 'state' | 'attemptCount' | 'isBeingSent'>

/** How a delivery stands, in one word. */
export function standingOf({ state, attemptCount, isBeingSent }: Standing): { word: string; colour: BadgeColour } {
  if (state === 'delivered') return { word: 'Delivered', colour: 'good' }
  if (state === 'exhausted') return { word: 'Failed', colour: 'danger' }
  if (state === 'held') return { word: 'Held', colour: 'plain' }
  if (isBeingSent) return { word: 'Sending …', colour: 'accent' }
  return attemptCount === 0 ? { word: 'Waiting', colour: 'plain' } : { word: 'Retrying', colour: 'warning' }
}

export function DeliveryStatus({ delivery }: { delivery: Standing }) {
  const { word, colour } = standingOf(delivery)
  return <Badge colour={colour}>{word}</Badge>
}
