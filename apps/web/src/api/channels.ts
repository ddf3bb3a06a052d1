import { queryOptions } from '@tanstack/react-query'
import type { ChannelChange, NewChannel } from './generated/schemas.ts'
import { request } from './request.ts'

export type { Channel, ChannelKind, ChannelList, Conversation, NewChannel, SlackConnection } from './generated/schemas.ts'

export const channelsOptions = queryOptions({
  queryKey: ['channels', 'list'],
  queryFn: ({ signal }) => request('GET /channels', { signal }),
})

export const addChannel = (body: NewChannel) => request('POST /channels', { body })

export const editChannel = (id: string, body: ChannelChange) => request('PATCH /channels/{id}', { params: { id }, body })

export const deleteChannel = (id: string) => request('DELETE /channels/{id}', { params: { id } })

/** Fails with what the receiver answered. `conversation`: for a Slack bot. */
export const sendTestMessage = (id: string, body: { conversation?: string }) => request('POST /channels/{id}/test', { params: { id }, body })

/** Asks the receiver, so it may take seconds and may fail. */
export const conversationsOptions = (id: string) =>
  queryOptions({
    queryKey: ['channels', 'conversations', id],
    queryFn: async ({ signal }) => (await request('GET /channels/{id}/conversations', { params: { id }, signal })).items,
    staleTime: 60_000,
    retry: false,
  })

/** Asks Slack, so it may take seconds. */
export const slackConnectionOptions = (id: string) =>
  queryOptions({
    queryKey: ['channels', 'slack-connection', id],
    queryFn: ({ signal }) => request('GET /channels/{id}/slack-connection', { params: { id }, signal }),
    retry: false,
  })
