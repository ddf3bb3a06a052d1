import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'

export type { ChangeFeed, FeedProblem } from './generated/schemas.ts'

export const changeFeedOptions = (shortId: string) =>
  queryOptions({
    queryKey: ['references', shortId, 'change-feed'],
    queryFn: ({ signal }) => request('GET /references/{shortId}/change-feed', { params: { shortId }, signal }),
  })

export const editChangeFeed = (shortId: string, body: { publishesChanges?: boolean; keyColumns?: string[] | null }) =>
  request('PATCH /references/{shortId}/change-feed', { params: { shortId }, body })
