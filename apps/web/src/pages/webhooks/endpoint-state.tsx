import type { Endpoint } from '../../api/webhook-endpoints.ts'
import { Badge } from '../../ui/badge.tsx'

/** Whether the endpoint is enabled, failing or disabled. */
export function EndpointState({ endpoint }: { endpoint: Pick<Endpoint, 'state' | 'consecutiveFailures'> }) {
  if (endpoint.state === 'disabled') return <Badge color="danger">Disabled</Badge>
  if (endpoint.consecutiveFailures > 0) return <Badge color="warning">Failing</Badge>
  return <Badge color="good">Enabled</Badge>
}
