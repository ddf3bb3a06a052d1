import { useQueryClient } from '@tanstack/react-query'
import { type Endpoint, endpointOptions } from '../../api/webhook-endpoints.ts'

/** After something was done to an endpoint: what is shown of it and of its log is asked for anew. */
export function useRefresh(endpointId: string): (endpoint?: Endpoint) => void {
  const client = useQueryClient()
  return (endpoint) => {
    if (endpoint) client.setQueryData(endpointOptions(endpointId).queryKey, endpoint)
    else void client.invalidateQueries({ queryKey: ['webhook-endpoints', endpointId, 'whole'] })
    void client.invalidateQueries({ queryKey: ['webhook-endpoints', 'list'] })
    void client.invalidateQueries({ queryKey: ['webhook-endpoints', endpointId, 'series'] })
    void client.invalidateQueries({ queryKey: ['deliveries', 'log', endpointId] })
  }
}
