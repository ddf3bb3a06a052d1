import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Body, Query } from './operations.ts'
import type { PageOptions } from './pages.ts'
import { request } from './request.ts'

export type { Notification, NotificationSettings } from './generated/schemas.ts'

/** All notifications, or only the unread ones. */
export type Shown = NonNullable<Query<'GET /notifications'>['show']>

export const listNotifications = ({ signal, ...query }: PageOptions & { show: Shown }) =>
  request('GET /notifications', { query, signal })

/** Marks all notifications as read if no IDs are given. */
export const markRead = (ids?: string[]) => request('POST /notifications/read', { body: { ...(ids && { ids }) } })

export const changeEmailSettings = (body: Body<'PATCH /notifications/settings'>) => request('PATCH /notifications/settings', { body })

export const sendTestEmail = () => request('POST /notifications/test-email')

/** The prefix of the query keys of all lists, but not of the settings. */
export const notificationListsKey = ['notifications', 'list'] as const

export const notificationsOptions = (show: Shown) =>
  infiniteQueryOptions({
    queryKey: [...notificationListsKey, show],
    queryFn: ({ pageParam: cursor, signal }) => listNotifications({ show, signal, cursor }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
  })

/** The newest few, for the bell. */
export const newestNotificationsOptions = queryOptions({
  queryKey: [...notificationListsKey, 'newest'],
  queryFn: ({ signal }) => listNotifications({ show: 'all', limit: 8, signal }),
})

export const notificationSettingsOptions = queryOptions({
  queryKey: ['notifications', 'settings'],
  queryFn: ({ signal }) => request('GET /notifications/settings', { signal }),
})
