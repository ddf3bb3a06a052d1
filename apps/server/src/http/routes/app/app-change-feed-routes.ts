import { Type } from 'typebox'
import { changeItem } from '../../../domain/history/feed/change-item.ts'
import { changeFeed, getFeed } from '../../../domain/history/feed/feed-settings.ts'
import type { QueryServices } from '../../../domain/services.ts'
import type { Caller } from '../../../model/caller.ts'
import { callerOf } from '../../authenticate.ts'
import { abortOnDisconnect } from '../../uploads.ts'
import { ChangeFeed, FeedEdit } from '../../schemas/change-feed-schemas.ts'
import type { Api } from '../../typed.ts'

const Params = Type.Object({ shortId: Type.String() })

/** The change feed of a reference, for its page. */
export function appChangeFeedRoutes(api: Api, services: QueryServices): void {
  const { baseUrl } = services
  async function present(caller: Caller, shortId: string) {
    const feed = await getFeed(services, caller, shortId)
    return { ...feed, latestChanges: feed.latestChanges.map((change) => changeItem(change, { shortId, baseUrl })) }
  }

  api.get(
    '/app/api/references/:shortId/change-feed',
    { schema: { params: Params, response: { 200: ChangeFeed } } },
    (request) => present(callerOf(request), request.params.shortId),
  )

  api.patch(
    '/app/api/references/:shortId/change-feed',
    { schema: { params: Params, body: FeedEdit, response: { 200: ChangeFeed } } },
    async (request, reply) => {
      await changeFeed(services, callerOf(request), { ...request.params, ...request.body, signal: abortOnDisconnect(reply) })
      return present(callerOf(request), request.params.shortId)
    },
  )
}
