import { useQuery } from '@tanstack/react-query'
import { type AutomationRunEvent, automationRunOptions, type DeliveryState } from '../../api/automation-runs.ts'
import { paths } from '../../paths.ts'
import { Badge, type BadgeColor } from '../../ui/badge.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { Time } from '../../ui/time.tsx'

/** For admins: the webhook event published for the run, and the state of its deliveries, behind one line. */
export function PublishedEvent({ runId }: { runId: string }) {
  const query = useQuery(automationRunOptions(runId))
  return (
    <Loaded query={query} skeleton={<Skeleton rows={1} />}>
      {({ event }) =>
        event ? <EventView event={event} /> : <p className="text-soft">No event was published.</p>
      }
    </Loaded>
  )
}

const states: Record<DeliveryState, { label: string; color: BadgeColor }> = {
  pending: { label: 'pending', color: 'accent' },
  delivered: { label: 'delivered', color: 'good' },
  exhausted: { label: 'failed after eight attempts', color: 'danger' },
  held: { label: 'on hold: endpoint disabled', color: 'warning' },
}

function EventView({ event }: { event: AutomationRunEvent }) {
  const { deliveries, ...envelope } = event
  return (
    <section aria-label="Event">
      <details>
        <summary className="w-fit text-soft">View details</summary>
        <div className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-2">
          <p className="flex flex-wrap gap-x-2 text-soft">
            Event <code className="text-xs leading-5 text-ink">{event.type}</code> published <Time at={event.createdAt} />
          </p>
          {deliveries.length === 0 ? (
            <p>
              No webhook endpoint yet. Here’s the payload we would have sent.{' '}
              <TextLink href={paths.newWebhookEndpoint}>Add endpoint</TextLink>
            </p>
          ) : (
            <ul className="grid gap-1.5" aria-live="polite">
              {deliveries.map(({ id, endpointId, url, state }) => (
                <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 [overflow-wrap:anywhere]">
                  <code className="min-w-0 text-xs">
                    <TextLink href={paths.webhookEndpoint(endpointId, { delivery: id })}>{url}</TextLink>
                  </code>
                  <Badge color={states[state].color}>{states[state].label}</Badge>
                </li>
              ))}
            </ul>
          )}
          <CodeBlock text={JSON.stringify(envelope, null, 2)} label="Event payload" isWrapped />
        </div>
      </details>
    </section>
  )
}
