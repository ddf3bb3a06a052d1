import type { Chat, ChatMessage, ChatStatus, ListedChat } from '../generated/schemas.ts'
import { type List, type ListOptions, makeList } from '../list.ts'
import { callOperation, type Input, requestFor } from '../operation.ts'
import { streamMessages, type StreamOptions } from '../reconnecting-stream.ts'
import type { ServerSentEvent } from '../server-sent-events.ts'
import type { CallOptions, Transport, WriteOptions } from '../transport.ts'

/** `position`: where a later stream can resume (`after`). */
export type ChatEvent = { kind: 'message'; position: string; message: ChatMessage } | ({ kind: 'status'; position: string } & ChatStatus)

/** Questions in plain words, answered by an agent. */
export interface Chats {
  /** Starts a chat with a question, without waiting for the answer. */
  create(input: Input<'chats.create'>['body'], options?: WriteOptions): Promise<Chat>
  /** Asks a follow-up question, without waiting for the answer. */
  ask(shortId: string, input: Input<'chats.ask'>['body'], options?: WriteOptions): Promise<Chat>
  get(shortId: string, options?: CallOptions): Promise<Chat>
  /** All of them, newest first: `for await (const chat of client.chats.list())`. */
  list(options?: ListOptions): List<ListedChat>
  /**
   * `for await (const event of client.chats.events(shortId, { signal }))`: a `message` for each message that is added or changes, from
   * the first one on, and a `status` when it changes, after the messages that it covers. Reconnects by itself, without gaps.
   */
  events(shortId: string, options?: StreamOptions): AsyncIterable<ChatEvent>
}

export function makeChats(transport: Transport): Chats {
  return {
    create: (body, options) => callOperation(transport, 'chats.create', { body }, options),
    ask: (shortId, body, options) => callOperation(transport, 'chats.ask', { params: { shortId }, body }, options),
    get: (shortId, options) => callOperation(transport, 'chats.get', { params: { shortId } }, options),
    list: (given = {}) =>
      makeList({ given, fetchPage: (query, options) => callOperation(transport, 'chats.list', { query }, options) }),
    events: (shortId, options = {}) => {
      const request = requestFor('chats.events', { params: { shortId } })
      return { [Symbol.asyncIterator]: () => streamMessages(transport, options, { request, messageOf }) }
    },
  }
}

function messageOf({ event, data, lastEventId: position }: ServerSentEvent): ChatEvent | undefined {
  if (event === 'message') return { kind: 'message', position, message: JSON.parse(data) as ChatMessage }
  if (event === 'status') return { kind: 'status', position, ...(JSON.parse(data) as ChatStatus) }
  return undefined
}
