import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { type Endpoint, endpointOptions } from '../../api/webhook-endpoints.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { DeliveryLog } from './delivery-log.tsx'
import { DeliveryPanel } from './delivery-panel.tsx'
import { EndpointHealthCard } from './endpoint-health-card.tsx'
import { EndpointMenu } from './endpoint-menu.tsx'
import { EndpointNotices } from './endpoint-notices.tsx'
import { EndpointSettings } from './endpoint-settings.tsx'
import { EndpointSetup } from './endpoint-setup.tsx'
import { EndpointState } from './endpoint-state.tsx'
import { focusTestEventButton } from './test-event.tsx'
import { useSearchParams } from './use-search-params.ts'
import { WebhooksGate } from './webhooks-gate.tsx'

export function EndpointPage({ id }: { id: string }) {
  useTitle('Webhook endpoint')
  return (
    <WebhooksGate>
      <LoadedEndpoint id={id} />
    </WebhooksGate>
  )
}

function LoadedEndpoint({ id }: { id: string }) {
  const query = useQuery(endpointOptions(id))
  return <Loaded query={query}>{(endpoint) => <EndpointView endpoint={endpoint} />}</Loaded>
}

const tabNames = ['log', 'setup', 'settings'] as const
type TabName = (typeof tabNames)[number]

function EndpointView({ endpoint }: { endpoint: Endpoint }) {
  const { id, url } = endpoint
  const { host } = new URL(url)
  useTitle(`${host} · Webhooks`)
  const [search, setSearch] = useSearchParams()
  const tab = tabNames.find((name) => name === search.get('tab')) ?? 'log'
  const isNew = search.get('created') !== null
  const openTab = (name: TabName) => setSearch({ tab: name === 'log' ? '' : name, created: '' })
  const deliveryId = search.get('delivery')
  return (
    <>
      <PageHead
        above={<TextLink href={paths.webhooks}>Webhooks</TextLink>}
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="[overflow-wrap:anywhere]">{url.replace(/^https:\/\//, '')}</span>
            <EndpointState endpoint={endpoint} />
          </span>
        }
        {...(endpoint.description !== null && { description: endpoint.description })}
        actions={
          <>
            <Button
              icon={<Send />}
              onClick={() => {
                openTab('setup')
                focusTestEventButton()
              }}
            >
              Test endpoint
            </Button>
            <EndpointMenu endpoint={endpoint} />
          </>
        }
      />
      <div className="grid grid-cols-1 gap-5">
        <EndpointNotices endpoint={endpoint} />
        <Tabs<TabName>
          label="Endpoint"
          current={tab}
          onChange={openTab}
          tabs={[
            {
              name: 'log',
              label: 'Deliveries',
              content: (
                <div className="grid grid-cols-1 gap-5">
                  <EndpointHealthCard endpoint={endpoint} />
                  <DeliveryLog endpoint={endpoint} />
                </div>
              ),
            },
            { name: 'setup', label: 'Secret and test', content: <EndpointSetup endpoint={endpoint} isNew={isNew} /> },
            { name: 'settings', label: 'Settings', content: <EndpointSettings endpoint={endpoint} /> },
          ]}
        />
      </div>
      <DeliveryPanel
        key={id}
        deliveryId={deliveryId}
        endpoint={endpoint}
        onChange={(delivery) => setSearch({ delivery: delivery ?? '' }, { replace: deliveryId !== null && delivery !== null })}
      />
    </>
  )
}
