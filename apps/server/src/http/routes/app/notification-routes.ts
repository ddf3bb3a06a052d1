import { Type } from 'typebox'
import { editEmailSettings, getEmailSettings, sendTestEmail } from '../../../domain/notifications/email-settings.ts'
import { listNotifications, markNotificationsRead } from '../../../domain/notifications/notifications.ts'
import { makeUnreadWatcher } from '../../../domain/notifications/watch-unread.ts'
import type { PeopleServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { optionalBody } from '../../body-parsers.ts'
import { eventStreamResponse, noBody } from '../../page-responses.ts'
import { closed, oneOf, PageQuery } from '../../schemas.ts'
import { EmailTest, NotificationPage, NotificationSettings, UnreadCount } from '../../schemas/notification-schemas.ts'
import { timesAsText } from '../../times-as-text.ts'
import type { Api } from '../../typed.ts'

const ListQuery = Type.Object({ ...PageQuery.properties, show: Type.Optional(oneOf(['all', 'unread'])) }, closed)

/** Notifications of the signed-in user, and their e-mail settings. */
export function notificationRoutes(api: Api, services: PeopleServices): void {
  const unread = makeUnreadWatcher(services)

  api.get(
    '/app/api/notifications',
    { schema: { querystring: ListQuery, response: { 200: NotificationPage } } },
    async (request) => {
      const page = await listNotifications(services, callerOf(request), request.query)
      return { ...page, items: page.items.map(timesAsText) }
    },
  )

  api.post(
    '/app/api/notifications/read',
    {
      ...optionalBody,
      schema: {
        body: Type.Object({ ids: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })) }, closed),
        response: { 200: UnreadCount },
      },
    },
    async (request) => markNotificationsRead(services, callerOf(request), request.body),
  )

  api.get(
    '/app/api/notifications/events',
    { config: { isEventStream: true }, schema: { response: eventStreamResponse(UnreadCount) } },
    (request, reply) => {
      const caller = callerOf(request)
      return reply.sendEvents(async function* countEvents(signal) {
        for await (const unreadCount of unread.watch(caller, signal)) yield { event: 'unread', data: { unreadCount } }
      })
    },
  )

  api.get(
    '/app/api/notifications/settings',
    { schema: { response: { 200: NotificationSettings } } },
    async (request) => getEmailSettings(services, callerOf(request)),
  )

  api.patch(
    '/app/api/notifications/settings',
    {
      schema: {
        body: Type.Object({ emailEnabled: Type.Optional(Type.Boolean()), commentEmailEnabled: Type.Optional(Type.Boolean()) }, closed),
        response: { 200: NotificationSettings },
      },
    },
    async (request) => editEmailSettings(services, callerOf(request), request.body),
  )

  api.post(
    '/app/api/notifications/test-email',
    { ...noBody, schema: { response: { 200: EmailTest } } },
    async (request) => sendTestEmail(services, callerOf(request)),
  )
}
