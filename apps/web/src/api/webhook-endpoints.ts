import { queryOptions } from '@tanstack/react-query'
import type { Delivery } from './deliveries.ts'
import { request } from './request.ts'

export const eventTypes = ['automation.run.completed', 'automation.run.failed'] as const
export type EventType = (typeof eventTypes)[number]

export interface Endpoint {
  id: string
  url: string
  description: string | null
  eventTypes: EventType[]
  state: 'enabled' | 'disabled'
  /** Events in a row that used up all their attempts. */
  consecutiveFailures: number
  disabledAt: string | null
  disabledReason: string | null
  createdAt: string
  updatedAt: string
  health: EndpointHealth
  /** Counted up to 10,000. */
  heldCount: number
}

/** How the last 100 deliveries went. */
export interface EndpointHealth {
  delivered: number
  exhausted: number
  pending: number
  /** Of those that are pending: how many have failed at least once. */
  retrying: number
  held: number
  durationP95Ms: number | null
  lastFailure: { deliveryId: string; at: string; message: string } | null
}

export interface SeriesPart {
  at: string
  delivered: number
  retrying: number
  exhausted: number
  held: number
}

export interface EndpointSeries {
  parts: SeriesPart[]
  /** Set when there was more than the service looks at: the series begins here. */
  countedFrom: string | null
}

export type SeriesPeriod = 'day' | 'week'

export interface ListedEndpoint extends Endpoint {
  series: EndpointSeries
}

export interface EndpointSecrets {
  secret: string | null
  nextSecret: string | null
}

export type UrlCheck =
  | { isAllowed: true; url: string; addresses: string[] }
  | { isAllowed: false; reason: string; mayChange: boolean }

export interface EndpointContent {
  url: string
  description: string | null
  eventTypes: EventType[]
}

const list = '/webhook-endpoints'
const one = (id: string) => `${list}/${encodeURIComponent(id)}`

export const createEndpoint = (body: EndpointContent) =>
  request<Endpoint & { secret: string }>(list, { method: 'POST', body })

export const editEndpoint = (id: string, body: Partial<EndpointContent>) =>
  request<Endpoint>(one(id), { method: 'PATCH', body })

export const deleteEndpoint = (id: string) => request<void>(one(id), { method: 'DELETE' })

export const enableEndpoint = (id: string, sendHeld: boolean) =>
  request<Endpoint>(`${one(id)}/enable`, { method: 'POST', body: { sendHeld } })

export const disableEndpoint = (id: string) => request<Endpoint>(`${one(id)}/disable`, { method: 'POST' })

export const sendHeld = (id: string) => request<{ count: number }>(`${one(id)}/send-held`, { method: 'POST' })

export const sendTestEvent = (id: string, eventType: EventType) =>
  request<Delivery>(`${one(id)}/test`, { method: 'POST', body: { eventType } })

/** Makes a next secret, or shows the one there is. */
export const makeNextSecret = (id: string) => request<EndpointSecrets>(`${one(id)}/rotate-secret`, { method: 'POST' })

export const activateNextSecret = (id: string) =>
  request<EndpointSecrets>(`${one(id)}/rotate-secret`, { method: 'POST', body: { activate: true } })

export const cancelNextSecret = (id: string) =>
  request<EndpointSecrets>(`${one(id)}/next-secret`, { method: 'DELETE' })

export const endpointsOptions = queryOptions({
  queryKey: ['webhook-endpoints', 'list'],
  queryFn: async ({ signal }) => (await request<{ items: ListedEndpoint[] }>(list, { signal })).items,
  refetchInterval: 10_000,
})

export const endpointOptions = (id: string) =>
  queryOptions({
    queryKey: ['webhook-endpoints', id, 'whole'],
    queryFn: ({ signal }) => request<Endpoint>(one(id), { signal }),
    refetchInterval: 5000,
  })

export const seriesOptions = (id: string, period: SeriesPeriod) =>
  queryOptions({
    queryKey: ['webhook-endpoints', id, 'series', period],
    queryFn: ({ signal }) => request<EndpointSeries>(`${one(id)}/series?period=${period}`, { signal }),
    refetchInterval: 30_000,
  })

/** Forgotten as soon as nobody looks at it. */
export const secretsOptions = (id: string) =>
  queryOptions({
    queryKey: ['webhook-endpoints', id, 'secrets'],
    queryFn: ({ signal }) => request<EndpointSecrets>(`${one(id)}/secret`, { signal }),
    gcTime: 0,
  })

/** What saving would say to a URL; nothing is sent to it. */
export const urlCheckOptions = (url: string) =>
  queryOptions({
    queryKey: ['webhook-endpoints', 'check', url],
    queryFn: ({ signal }) => request<UrlCheck>(`${list}/check`, { method: 'POST', body: { url }, signal }),
    retry: false,
    refetchOnWindowFocus: false,
  })

/** The organization's switch for all of webhooks. */
export const webhooksSwitchOptions = queryOptions({
  queryKey: ['webhook-endpoints', 'switch'],
  queryFn: async ({ signal }) => (await request<{ webhooksEnabled: boolean }>('/organization', { signal })).webhooksEnabled,
})

export const switchWebhooksOn = () =>
  request<unknown>('/organization', { method: 'PATCH', body: { webhooksEnabled: true } })
