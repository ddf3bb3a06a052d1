import type { Endpoint } from '../../api/webhook-endpoints.ts'
import { Badge } from '../../ui/badge.tsx'

/** Whether the endpoint is enabled, failing or disabled. */
export function EndpointState({ endpoint }: { endpoint: Pick<Endpoint, 'state' | 'consecutiveFailures'> }) {
  if (endpoint.state === 'disabled') return <Badge colour="danger">Disabled</Badge>
  if (endpoint.consecutiveFailures > 0) return <Badge colour="warning">Failing</Badge>
  return <Badge colour="good">Enabled</Badge>
}
