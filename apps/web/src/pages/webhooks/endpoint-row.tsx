import type { ListedEndpoint } from '../../api/webhook-endpoints.ts'
import { Link } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { EndpointState } from './endpoint-state.tsx'
import { healthLevel, formatHeldCount, formatMs, formatPercent, successRate } from './health-format.ts'
import { SeriesBars } from './series-bars.tsx'

const rateColors = { good: 'text-good', warning: 'text-warning', danger: 'text-danger', none: 'text-soft' }

const row =
  'relative grid gap-x-6 gap-y-3 rounded-lg border border-line bg-surface p-4 hover:border-line-strong ' +
  'grid-cols-1 sm:grid-cols-[minmax(0,1fr)_7.5rem_auto]'

/** One endpoint in the list: its URL, its health, and its latest problem. */
export function EndpointRow({ endpoint }: { endpoint: ListedEndpoint }) {
  const { health, heldCount } = endpoint
  const rate = successRate(health)
  return (
    <li className={row}>
      <div className="grid min-w-0 content-start gap-1">
        <div className="flex flex-wrap items-center gap-2">
          <Link
            href={paths.webhookEndpoint(endpoint.id)}
            className="font-medium text-ink no-underline [overflow-wrap:anywhere] after:absolute after:inset-0 after:rounded-lg"
          >
            {endpoint.url}
          </Link>
          <EndpointState endpoint={endpoint} />
          {health.retrying > 0 && <Badge color="warning">{health.retrying} retrying</Badge>}
          {heldCount > 0 && <Badge>{formatHeldCount(heldCount)} held</Badge>}
        </div>
        {endpoint.description !== null && <p className="text-soft">{endpoint.description}</p>}
        <LatestProblem endpoint={endpoint} />
      </div>
      <div className="relative self-center">
        <SeriesBars series={endpoint.series} size="small" />
        <p className="text-xs text-soft">Last 24 hours</p>
      </div>
      <dl className="grid grid-cols-2 content-center gap-x-6 self-center sm:grid-cols-[4.5rem_4.5rem] sm:text-right">
        <dt className="row-start-2 text-xs text-soft">Success</dt>
        <dd className={`row-start-1 text-base font-semibold tabular-nums ${rateColors[healthLevel(rate)]}`}>
          {rate === null ? '–' : formatPercent(rate)}
        </dd>
        <dt className="row-start-2 text-xs text-soft">p95</dt>
        <dd className="row-start-1 text-base font-semibold tabular-nums">
          {health.durationP95Ms === null ? '–' : formatMs(health.durationP95Ms)}
        </dd>
      </dl>
    </li>
  )
}

function LatestProblem({ endpoint: { disabledReason, disabledAt, health } }: { endpoint: ListedEndpoint }) {
  if (disabledReason !== null && disabledAt !== null) {
    return (
      <p className="text-xs text-danger">
        {disabledReason} (<RelativeTime at={disabledAt} />)
      </p>
    )
  }
  if (health.lastFailure === null || successRate(health) === 1) return null
  return (
    <p className="text-xs text-soft">
      Last failure <RelativeTime at={health.lastFailure.at} />: {health.lastFailure.message}
    </p>
  )
}
