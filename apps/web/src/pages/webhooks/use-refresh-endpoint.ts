import { useQueryClient } from '@tanstack/react-query'
import { type Endpoint, endpointOptions } from '../../api/webhook-endpoints.ts'

/** Refreshes an endpoint and its log after a change. */
export function useRefreshEndpoint(endpointId: string): (endpoint?: Endpoint) => void {
  const client = useQueryClient()
  return (endpoint) => {
    if (endpoint) client.setQueryData(endpointOptions(endpointId).queryKey, endpoint)
    else void client.invalidateQueries({ queryKey: ['webhook-endpoints', endpointId, 'whole'] })
    void client.invalidateQueries({ queryKey: ['webhook-endpoints', 'list'] })
    void client.invalidateQueries({ queryKey: ['webhook-endpoints', endpointId, 'series'] })
    void client.invalidateQueries({ queryKey: ['deliveries', 'log', endpointId] })
  }
}
