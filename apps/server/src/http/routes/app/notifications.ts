import { Type } from 'typebox'
import { listNotifications, markNotificationsRead } from '../../../domain/notifications/notifications.ts'
import type { Services } from '../../../services.ts'
import { callerOf } from '../../authenticate.ts'
import { optionalBody } from '../../body-parsers.ts'
import { closed, PageQuery } from '../../schemas.ts'
import type { Api } from '../../typed.ts'

/** What the signed-in person should know. */
export function notificationRoutes(api: Api, services: Services): void {
  api.get(
    '/app/api/notifications',
    { schema: { querystring: Type.Object({ limit: PageQuery.properties.limit }, closed) } },
    async (request) => listNotifications(services, callerOf(request), request.query),
  )

  api.post(
    '/app/api/notifications/read',
    {
      ...optionalBody,
      schema: { body: Type.Object({ ids: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })) }, closed) },
    },
    async (request) => markNotificationsRead(services, callerOf(request), request.body),
  )
}
