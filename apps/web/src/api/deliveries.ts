import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { LoggedDelivery, ReplayChoice } from './generated/schemas.ts'
import type { Query } from './operations.ts'
import { request } from './request.ts'

export type { Attempt, Delivery, DeliveryState, LoggedDelivery, ReplayChoice } from './generated/schemas.ts'
export { deliveryStates } from './generated/values.ts'

export const attemptsMax = 8

export type LogFilter = Omit<Query<'GET /webhook-endpoints/{id}/deliveries'>, 'limit' | 'cursor'>

export const resendDelivery = (id: string) => request('POST /deliveries/{id}/resend', { params: { id } })

export const countReplay = (endpointId: string, body: ReplayChoice) =>
  request('POST /webhook-endpoints/{id}/replay/count', { params: { id: endpointId }, body })

export const replay = (endpointId: string, body: ReplayChoice & { count: number }) =>
  request('POST /webhook-endpoints/{id}/replay', { params: { id: endpointId }, body })

export const deliveryOptions = (id: string) =>
  queryOptions({
    queryKey: ['deliveries', 'one', id],
    queryFn: ({ signal }) => request('GET /deliveries/{id}', { params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data ? pollIntervalMs([state.data]) : false),
  })

export const logOptions = (endpointId: string, filter: LogFilter) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', 'log', endpointId, filter],
    queryFn: ({ pageParam: cursor, signal }) =>
      request('GET /webhook-endpoints/{id}/deliveries', {
        params: { id: endpointId },
        query: { limit: 50, ...filter, cursor },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) =>
      state.data ? pollIntervalMs(state.data.pages.flatMap(({ items }) => items)) || idlePollMs : false,
  })

/** How soon a new delivery appears when nothing is pending. */
const idlePollMs = 5000
const soonMs = 15_000

/** Polls often while an attempt is running or due soon, less often while one is due later, and not at all otherwise. */
export function pollIntervalMs(
  deliveries: Pick<LoggedDelivery, 'state' | 'isBeingSent' | 'nextAttemptAt'>[],
  nowMs = Date.now(),
): number | false {
  const pending = deliveries.filter(({ state }) => state === 'pending')
  if (pending.length === 0) return false
  const isSoon = ({ isBeingSent, nextAttemptAt }: (typeof pending)[number]) =>
    isBeingSent || nextAttemptAt === null || Date.parse(nextAttemptAt) - nowMs < soonMs
  return pending.some(isSoon) ? 700 : soonMs - 1000
}
