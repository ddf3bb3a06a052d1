import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ItemKind } from './generated/schemas.ts'
import type { Body, Query } from './operations.ts'
import { request } from './request.ts'

export type { Comment, CommentCounts, CommentThread, DataPoint, GivenPoint } from './generated/schemas.ts'

/** The query or board that comments are about. */
export interface CommentedItem {
  kind: ItemKind
  shortId: string
}

/** Which threads a list shows. */
export interface ThreadList {
  show: NonNullable<Query<'GET /boards/{shortId}/comment-threads'>['show']>
  tileId: string | undefined
}

/** The prefix of the query keys of all comments. */
export const commentsKey = ['comments'] as const

/** Other people's comments appear after this time at most. Hidden tabs don't ask. */
const listPollMs = 5_000
const countPollMs = 15_000

export const commentCountsOptions = ({ kind, shortId }: CommentedItem) =>
  queryOptions({
    queryKey: [...commentsKey, kind, shortId, 'counts'],
    queryFn: ({ signal }) =>
      kind === 'board'
        ? request('GET /boards/{shortId}/comment-counts', { params: { shortId }, signal })
        : request('GET /references/{shortId}/comment-counts', { params: { shortId }, signal }),
    refetchInterval: countPollMs,
  })

export const threadsOptions = ({ kind, shortId }: CommentedItem, list: ThreadList) =>
  infiniteQueryOptions({
    queryKey: [...commentsKey, kind, shortId, 'threads', list],
    queryFn: ({ signal, pageParam: cursor }) => {
      const options = { params: { shortId }, query: { ...list, cursor, limit: 20 }, signal }
      return kind === 'board'
        ? request('GET /boards/{shortId}/comment-threads', options)
        : request('GET /references/{shortId}/comment-threads', options)
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    refetchInterval: listPollMs,
  })

/** A thread with all its comments. */
export const threadOptions = (threadId: string) =>
  queryOptions({
    queryKey: [...commentsKey, 'thread', threadId],
    queryFn: ({ signal }) => request('GET /comment-threads/{threadId}', { params: { threadId }, signal }),
    refetchInterval: listPollMs,
  })

export const startThread = ({ kind, shortId }: CommentedItem, body: Body<'POST /boards/{shortId}/comment-threads'>) =>
  kind === 'board'
    ? request('POST /boards/{shortId}/comment-threads', { params: { shortId }, body })
    : request('POST /references/{shortId}/comment-threads', { params: { shortId }, body })

export const replyTo = (threadId: string, text: string) =>
  request('POST /comment-threads/{threadId}/comments', { params: { threadId }, body: { text } })

export const resolveThread = (threadId: string, isResolved: boolean) =>
  request('PATCH /comment-threads/{threadId}', { params: { threadId }, body: { isResolved } })

export const editComment = (commentId: string, text: string) =>
  request('PATCH /comments/{commentId}', { params: { commentId }, body: { text } })

export const deleteComment = (commentId: string) => request('DELETE /comments/{commentId}', { params: { commentId } })
