import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'

/**
 * A server of the Model Context Protocol whose tools the model agent may use. The values of its headers never come
 * back.
 */
export interface DataConnector {
  id: string
  name: string
  url: string
  headerNames: string[]
  enabled: boolean
  createdAt: string
  updatedAt: string
}

export interface GivenDataConnector {
  name: string
  url: string
  headers: Record<string, string>
}

export type ConnectorTest =
  | {
      ok: true
      durationMs: number
      server: { name: string; version: string }
      tools: { name: string; description: string }[]
    }
  | { ok: false; message: string }

const connectorPath = (id: string) => `/data-connectors/${encodeURIComponent(id)}`

export const listDataConnectors = async (signal?: AbortSignal) =>
  (await request<{ items: DataConnector[] }>('/data-connectors', { ...(signal && { signal }) })).items

export const addDataConnector = (connector: GivenDataConnector) =>
  request<DataConnector>('/data-connectors', { method: 'POST', body: connector })

export const switchDataConnector = (id: string, enabled: boolean) =>
  request<DataConnector>(connectorPath(id), { method: 'PATCH', body: { enabled } })

export const deleteDataConnector = (id: string) => request<void>(connectorPath(id), { method: 'DELETE' })

export const testDataConnector = (id: string) =>
  request<ConnectorTest>(`${connectorPath(id)}/test`, { method: 'POST' })

export const dataConnectorsOptions = queryOptions({
  queryKey: ['data connectors'],
  queryFn: ({ signal }) => listDataConnectors(signal),
})
