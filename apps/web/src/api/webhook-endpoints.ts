import { queryOptions } from '@tanstack/react-query'
import type { EndpointChange, EventType, GivenEndpoint, SeriesPeriod } from './generated/schemas.ts'
import { request } from './request.ts'

export type {
  Endpoint,
  EndpointHealth,
  EndpointSecrets,
  EndpointSeries,
  EventType,
  ListedEndpoint,
  SeriesPart,
  SeriesPeriod,
} from './generated/schemas.ts'
export { eventTypes } from './generated/values.ts'

/** All fields of an endpoint that a person can edit. */
export type EndpointContent = Required<GivenEndpoint>

export const createEndpoint = (body: GivenEndpoint) => request('POST /webhook-endpoints', { body })

export const editEndpoint = (id: string, body: EndpointChange) =>
  request('PATCH /webhook-endpoints/{id}', { params: { id }, body })

export const deleteEndpoint = (id: string) => request('DELETE /webhook-endpoints/{id}', { params: { id } })

export const enableEndpoint = (id: string, sendHeld: boolean) =>
  request('POST /webhook-endpoints/{id}/enable', { params: { id }, body: { sendHeld } })

export const disableEndpoint = (id: string) => request('POST /webhook-endpoints/{id}/disable', { params: { id } })

export const sendHeld = (id: string) => request('POST /webhook-endpoints/{id}/send-held', { params: { id } })

export const sendTestEvent = (id: string, eventType: EventType) =>
  request('POST /webhook-endpoints/{id}/test', { params: { id }, body: { eventType } })

/** Creates the next secret, or returns the existing one. */
export const createNextSecret = (id: string) => request('POST /webhook-endpoints/{id}/rotate-secret', { params: { id } })

export const activateNextSecret = (id: string) =>
  request('POST /webhook-endpoints/{id}/rotate-secret', { params: { id }, body: { activate: true } })

export const cancelNextSecret = (id: string) => request('DELETE /webhook-endpoints/{id}/next-secret', { params: { id } })

export const endpointsOptions = queryOptions({
  queryKey: ['webhook-endpoints', 'list'],
  queryFn: async ({ signal }) => (await request('GET /webhook-endpoints', { signal })).items,
  refetchInterval: 10_000,
})

export const endpointOptions = (id: string) =>
  queryOptions({
    queryKey: ['webhook-endpoints', id, 'whole'],
    queryFn: ({ signal }) => request('GET /webhook-endpoints/{id}', { params: { id }, signal }),
    refetchInterval: 5000,
  })

export const seriesOptions = (id: string, period: SeriesPeriod) =>
  queryOptions({
    queryKey: ['webhook-endpoints', id, 'series', period],
    queryFn: ({ signal }) => request('GET /webhook-endpoints/{id}/series', { params: { id }, query: { period }, signal }),
    refetchInterval: 30_000,
  })

/** Not cached after the component unmounts. */
export const secretsOptions = (id: string) =>
  queryOptions({
    queryKey: ['webhook-endpoints', id, 'secrets'],
    queryFn: ({ signal }) => request('GET /webhook-endpoints/{id}/secret', { params: { id }, signal }),
    gcTime: 0,
  })

/** Validates a URL as saving would, without sending a request to it. */
export const urlCheckOptions = (url: string) =>
  queryOptions({
    queryKey: ['webhook-endpoints', 'check', url],
    queryFn: ({ signal }) => request('POST /webhook-endpoints/check', { body: { url }, signal }),
    retry: false,
    refetchOnWindowFocus: false,
  })

/** Whether webhooks are on for the organization. */
export const webhooksSwitchOptions = queryOptions({
  queryKey: ['webhook-endpoints', 'switch'],
  queryFn: async ({ signal }) => (await request('GET /organization', { signal })).webhooksEnabled,
})

export const switchWebhooksOn = () => request('PATCH /organization', { body: { webhooksEnabled: true } })
