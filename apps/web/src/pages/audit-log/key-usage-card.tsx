import type { KeyUse } from '../../api/audit-log.ts'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { UsageBars } from './usage-bars.tsx'
import { describeRequests, fillDays } from './usage-days.ts'

/** The usage of one API key: last use, requests per day, and routes. */
export function KeyUsageCard({ use, from, days }: { use: KeyUse; from: string; days: number }) {
  const { name, prefix, user, isRevoked, lastAt, lastAddress, routes } = use
  return (
    <li className="grid grid-cols-1 gap-3 rounded-lg border border-line bg-surface p-4">
      <div className="grid gap-x-6 gap-y-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)]">
        <div className="min-w-0">
          <h3 className="flex flex-wrap items-center gap-x-2 [overflow-wrap:anywhere]">
            {name} {isRevoked && <Badge>Revoked</Badge>}
          </h3>
          <p className="text-xs text-soft [overflow-wrap:anywhere]">
            {prefix !== null && <><code>{prefix}…</code> · </>}acts as {user.name}
          </p>
          <p className="text-xs text-soft">
            Last used <RelativeTime at={lastAt} />
            {lastAddress !== null && <> from <code>{lastAddress}</code></>}
          </p>
          <p className="text-xs">
            <TextLink href={`${paths.auditLog}?${new URLSearchParams({ actor: use.id })}`}>View its changes</TextLink>
          </p>
        </div>
        <div className="min-w-0">
          <p className="mb-1 text-xs text-soft">{describeRequests(use)}</p>
          <UsageBars days={fillDays(use.days, { from, days })} />
        </div>
      </div>
      <Routes name={name} routes={routes} />
    </li>
  )
}

const head = 'py-1 pr-3 text-left font-medium'

function Routes({ name, routes }: { name: string; routes: KeyUse['routes'] }) {
  return (
    <details>
      <summary className="w-fit text-xs text-soft hover:text-ink">
        {routes.length === 1 ? '1 route' : `${routes.length} routes`}
      </summary>
      <table className="mt-2 w-full table-fixed border-collapse text-xs">
        <caption className="sr-only">Routes called with {name}</caption>
        <thead className="text-soft">
          <tr>
            <th scope="col" className={head}>Route</th>
            <th scope="col" className={`${head} w-2/5`}>Requests</th>
            <th scope="col" className={`${head} hidden w-32 sm:table-cell`}>Last request</th>
          </tr>
        </thead>
        <tbody>
          {routes.map((route) => (
            <tr key={route.route} className="border-t border-line align-top">
              <td className="py-1.5 pr-3 [overflow-wrap:anywhere]"><code>{route.route}</code></td>
              <td className="py-1.5 pr-3">{describeRequests(route)}</td>
              <td className="hidden py-1.5 text-soft sm:table-cell">
                {route.lastStatus}, <RelativeTime at={route.lastAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
