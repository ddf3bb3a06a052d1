import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Page, PageOptions } from './pages.ts'
import { request } from './request.ts'

/** Something that the signed-in person should know. */
export interface Notification {
  id: string
  kind: 'endpoint_failing' | 'endpoint_disabled' | 'run_failed' | 'sign_ins_failing'
  message: string
  /** What it is about, as a path of the pages. */
  link: string
  createdAt: string
  readAt: string | null
}

export interface NotificationSettings {
  emailEnabled: boolean
  /** Whether the operator has set up a mail server. */
  canSendMail: boolean
  email: string
}

/** All of them, or those that are not read yet. */
export type Shown = 'all' | 'unread'

export const listNotifications = ({ signal, show, cursor, limit }: PageOptions & { show: Shown }) => {
  const page = { ...(limit !== undefined && { limit: String(limit) }), ...(cursor !== undefined && { cursor }) }
  return request<Page<Notification> & { unreadCount: number }>(`/notifications?${new URLSearchParams({ show, ...page })}`, {
    ...(signal && { signal }),
  })
}

/** All of them where no ids are given. */
export const markRead = (ids?: string[]) =>
  request<{ unreadCount: number }>('/notifications/read', { method: 'POST', body: { ...(ids && { ids }) } })

export const unreadEventsAddress = '/app/api/notifications/events'

export const getNotificationSettings = (signal: AbortSignal) =>
  request<NotificationSettings>('/notifications/settings', { signal })

export const switchEmail = (emailEnabled: boolean) =>
  request<NotificationSettings>('/notifications/settings', { method: 'PATCH', body: { emailEnabled } })

export const sendTestEmail = () =>
  request<{ ok: true } | { ok: false; message: string }>('/notifications/test-email', { method: 'POST' })

/** Begins the keys of the lists; not that of the settings. */
export const notificationListsKey = ['notifications', 'list'] as const

export const notificationsOptions = (show: Shown) =>
  infiniteQueryOptions({
    queryKey: [...notificationListsKey, show],
    queryFn: ({ pageParam: cursor, signal }) => listNotifications({ show, signal, ...(cursor !== undefined && { cursor }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
  })

/** A few, for the bell. */
export const newestNotificationsOptions = queryOptions({
  queryKey: [...notificationListsKey, 'newest'],
  queryFn: ({ signal }) => listNotifications({ show: 'all', limit: 8, signal }),
})

export const notificationSettingsOptions = queryOptions({
  queryKey: ['notifications', 'settings'],
  queryFn: ({ signal }) => getNotificationSettings(signal),
})
