import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { automationsOptions } from '../../api/automations.ts'
import { useIsAdmin } from '../../api/session.ts'
import { endpointsOptions } from '../../api/webhook-endpoints.ts'
import { Link } from '../../location.tsx'
import { Card } from '../../ui/card.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useUnreadCount } from '../../ui/use-unread-count.ts'
import { needsAttention } from './needs-attention.ts'

const shownMax = 5

/** What somebody should look at. Shows nothing if there is nothing. */
export function Attention() {
  const isAdmin = useIsAdmin()
  const { data: automations = [] } = useInfiniteQuery(automationsOptions)
  const { data: endpoints = [] } = useQuery({ ...endpointsOptions, enabled: isAdmin, refetchInterval: 60_000 })
  const unreadCount = useUnreadCount() ?? 0
  const items = needsAttention({ automations, endpoints, unreadCount }).slice(0, shownMax)
  if (items.length === 0) return null
  return (
    <section aria-label="Needs attention" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2>Needs attention</h2>
      <Card className="overflow-hidden">
        <ul className="divide-y divide-line">
          {items.map(({ href, title, at }) => (
            <li key={href}>
              <Link href={href} className="flex items-center gap-3 px-4 py-2.5 text-ink no-underline hover:bg-raised focus-visible:-outline-offset-2">
                <TriangleAlert className="size-4 shrink-0 text-warning" aria-hidden="true" />
                <span className="min-w-0 grow truncate">{title}</span>
                {at !== undefined && <span className="shrink-0 text-xs text-soft"><RelativeTime at={at} /></span>}
              </Link>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}
