import { type Page, pageAddress, type PageOptions } from './pages.ts'
import { request } from './request.ts'

/** Something that the signed-in person should know. */
export interface Notification {
  id: string
  kind: 'endpoint_failing' | 'endpoint_disabled' | 'run_failed'
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

export const listNotifications = ({ signal, ...page }: PageOptions) =>
  request<Page<Notification> & { unreadCount: number }>(pageAddress('/notifications', page), { ...(signal && { signal }) })

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
