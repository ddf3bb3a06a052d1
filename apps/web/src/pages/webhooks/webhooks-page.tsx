import { useQuery } from '@tanstack/react-query'
import { Plus, Webhook } from 'lucide-react'
import { endpointsOptions } from '../../api/webhook-endpoints.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { EndpointRow } from './endpoint-row.tsx'
import { ListenCard } from './listen-card.tsx'
import { WebhooksGate } from './webhooks-gate.tsx'

export function WebhooksPage() {
  useTitle('Webhooks')
  return (
    <WebhooksGate>
      <Endpoints />
    </WebhooksGate>
  )
}

function Endpoints() {
  const query = useQuery(endpointsOptions)
  const addLink = (
    <ButtonLink kind="primary" icon={<Plus />} href={paths.newWebhookEndpoint}>
      Add endpoint
    </ButtonLink>
  )
  return (
    <>
      <PageHead
        title="Webhooks"
        description="Notify your apps when an automation finishes."
        {...(query.data && query.data.length > 0 && { actions: addLink })}
      />
      <Loaded query={query}>
        {(endpoints) =>
          endpoints.length === 0 ? (
            <EmptyState title="No endpoints yet" icon={<Webhook />} action={addLink}>
              <p>
                Get a signed webhook whenever a run finishes, with its summary or the reason it failed. Add the https URL of your app,
                then send it a test event.
              </p>
            </EmptyState>
          ) : (
            <ul className="grid grid-cols-1 gap-3">
              {endpoints.map((endpoint) => (
                <EndpointRow key={endpoint.id} endpoint={endpoint} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {query.data && <ListenCard />}
    </>
  )
}
