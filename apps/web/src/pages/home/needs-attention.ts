import type { Automation } from '../../api/automations.ts'
import type { ListedEndpoint } from '../../api/webhook-endpoints.ts'
import { paths } from '../../paths.ts'

export interface AttentionItem {
  href: string
  title: string
  /** When it happened; undefined if there is no single time. */
  at?: string
}

/** What somebody should look at: automations whose last run failed, endpoints that fail, and unread notifications. */
export function needsAttention(found: {
  automations: Pick<Automation, 'id' | 'name' | 'latestRun'>[]
  endpoints: Pick<ListedEndpoint, 'id' | 'url' | 'state' | 'consecutiveFailures' | 'disabledAt' | 'disabledReason'>[]
  unreadCount: number
}): AttentionItem[] {
  const automations = found.automations.flatMap(({ id, name, latestRun }) =>
    latestRun?.status === 'failed' && !latestRun.isStopped
      ? { href: paths.automation(id), title: `${name} failed`, at: latestRun.endedAt ?? latestRun.requestedAt }
      : [],
  )
  const endpoints = found.endpoints.flatMap(({ id, url, state, consecutiveFailures, disabledAt, disabledReason }) => {
    const href = paths.webhookEndpoint(id)
    if (state === 'enabled') return consecutiveFailures > 0 ? { href, title: `Webhooks to ${hostOf(url)} fail` } : []
    // Without a reason, a person disabled it.
    return disabledReason !== null && disabledAt !== null ? { href, title: `Webhooks to ${hostOf(url)} are disabled`, at: disabledAt } : []
  })
  const { unreadCount } = found
  const unread = unreadCount === 1 ? 'One unread notification' : `${unreadCount} unread notifications`
  return [...automations, ...endpoints, ...(unreadCount > 0 ? [{ href: paths.notifications, title: unread }] : [])]
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)
