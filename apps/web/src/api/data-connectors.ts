import { queryOptions } from '@tanstack/react-query'
import type { GivenDataConnector } from './generated/schemas.ts'
import { request } from './request.ts'

export type { ConnectorTest, DataConnector } from './generated/schemas.ts'

export const addDataConnector = (body: GivenDataConnector) => request('POST /data-connectors', { body })

export const switchDataConnector = (id: string, enabled: boolean) =>
  request('PATCH /data-connectors/{id}', { params: { id }, body: { enabled } })

export const deleteDataConnector = (id: string) => request('DELETE /data-connectors/{id}', { params: { id } })

export const testDataConnector = (id: string) => request('POST /data-connectors/{id}/test', { params: { id } })

export const dataConnectorsOptions = queryOptions({
  queryKey: ['data connectors'],
  queryFn: async ({ signal }) => (await request('GET /data-connectors', { signal })).items,
})
