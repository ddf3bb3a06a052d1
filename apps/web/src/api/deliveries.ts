import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Page } from './pages.ts'
import { request } from './request.ts'
import type { EventType } from './webhook-endpoints.ts'

export const deliveryStates = ['pending', 'delivered', 'exhausted', 'held'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export interface LoggedAttempt {
  number: number
  at: string
  durationMs: number
  phases: Record<'dnsMs' | 'connectMs' | 'tlsMs' | 'responseMs' | 'bodyMs', number | null>
  /** The address that was dialled; null when none was. */
  address: string | null
  status: number | null
  failure: { kind: string; message: string } | null
}

export interface Attempt extends LoggedAttempt {
  /** The beginning of the response's body. */
  response: string
  /** As they were sent; null when it did not come to that. */
  requestHeaders: Record<string, string> | null
}

export interface LoggedDelivery {
  id: string
  eventId: string
  eventType: EventType
  endpointId: string
  state: DeliveryState
  isTest: boolean
  requestedBy: string | null
  requestedByName: string | null
  createdAt: string
  nextAttemptAt: string | null
  endedAt: string | null
  heldAt: string | null
  attemptCount: number
  isBeingSent: boolean
  attempts: LoggedAttempt[]
}

export interface Delivery extends LoggedDelivery {
  attempts: Attempt[]
  request: { url: string; headers: Record<string, string>; body: string }
}

export const attemptsMax = 8

export interface LogFilter {
  state?: DeliveryState
  eventType?: EventType
  from?: string
  to?: string
  search?: string
}

export interface ReplayChoice {
  states: ('exhausted' | 'delivered')[]
  eventTypes: EventType[]
  from?: string
  to?: string
}

const endpoint = (id: string) => `/webhook-endpoints/${encodeURIComponent(id)}`

export const resendDelivery = (id: string) =>
  request<Delivery>(`/deliveries/${encodeURIComponent(id)}/resend`, { method: 'POST' })

export const countReplay = (endpointId: string, body: ReplayChoice) =>
  request<{ count: number }>(`${endpoint(endpointId)}/replay/count`, { method: 'POST', body })

export const replay = (endpointId: string, body: ReplayChoice & { count: number }) =>
  request<{ count: number }>(`${endpoint(endpointId)}/replay`, { method: 'POST', body })

export const deliveryOptions = (id: string) =>
  queryOptions({
    queryKey: ['deliveries', 'one', id],
    queryFn: ({ signal }) => request<Delivery>(`/deliveries/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: ({ state }) => (state.data ? lookAgainMs([state.data]) : false),
  })

export const logOptions = (endpointId: string, filter: LogFilter) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', 'log', endpointId, filter],
    queryFn: ({ pageParam, signal }) => {
      const search = new URLSearchParams({ limit: '50', ...filter, ...(pageParam !== null && { cursor: pageParam }) })
      return request<Page<LoggedDelivery>>(`${endpoint(endpointId)}/deliveries?${search}`, { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) =>
      state.data ? lookAgainMs(state.data.pages.flatMap(({ items }) => items)) || restMs : false,
  })

/** What comes anew is seen within this time, also when nothing is under way. */
const restMs = 5000
const soonMs = 15_000

/** How soon something of this is likely to change: at once while an attempt is being made or due, else when one falls due. */
export function lookAgainMs(
  deliveries: Pick<LoggedDelivery, 'state' | 'isBeingSent' | 'nextAttemptAt'>[],
  nowMs = Date.now(),
): number | false {
  const pending = deliveries.filter(({ state }) => state === 'pending')
  if (pending.length === 0) return false
  const isSoon = ({ isBeingSent, nextAttemptAt }: (typeof pending)[number]) =>
    isBeingSent || nextAttemptAt === null || Date.parse(nextAttemptAt) - nowMs < soonMs
  return pending.some(isSoon) ? 700 : soonMs - 1000
}
