import { type DeliveryState, getAutomationRun, type PublishedEvent as Published } from '../../api/automation-runs.ts'
import { messageOf } from '../../api/request.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { Loading, Problem } from '../../ui/notice.tsx'
import { Time } from '../../ui/time.tsx'
import { usePolling } from '../../ui/use-polling.ts'

const lookEveryMs = 5_000

/** What endpoints were told of the run's end, and how that goes. */
export function PublishedEvent({ runId }: { runId: string }) {
  const { loaded, reload } = useLoaded(runId, (signal) => getAutomationRun(runId, signal))
  const event = loaded.status === 'ready' ? loaded.value.event : null
  const isOnItsWay = event?.deliveries.some(({ state }) => state === 'pending') ?? false
  usePolling({ isWanted: isOnItsWay, everyMs: lookEveryMs, look: reload })
  if (loaded.status === 'loading') return <Loading />
  if (loaded.status === 'failed') return <Problem message={messageOf(loaded.error)} onRetry={reload} />
  if (!event) return <p className="soft small">No event was published.</p>
  return <EventView event={event} />
}

const stateWords: Record<DeliveryState, string> = {
  pending: 'on its way',
  delivered: 'delivered',
  exhausted: 'given up after eight attempts',
  held: 'held: the endpoint is disabled',
}

function EventView({ event }: { event: Published }) {
  const { deliveries, ...envelope } = event
  return (
    <section aria-label="Event">
      <p className="kind">
        Event <code>{event.type}</code> <span className="soft">published <Time at={event.createdAt} /></span>
      </p>
      {deliveries.length === 0 ? (
        <p>No endpoint is subscribed; this is what would have been delivered.</p>
      ) : (
        <ul className="deliveries">
          {deliveries.map(({ id, url, state }) => (
            <li key={id} className={state}>
              <code>{url}</code> <span className="state">{stateWords[state]}</span>
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary>Its body</summary>
        <pre>{JSON.stringify(envelope, null, 2)}</pre>
      </details>
    </section>
  )
}
