import { expect, test } from 'vitest'
import { testWorld } from '../../testing/client-world.ts'
import type { ChatEvent } from './chats.ts'

const says = (...frames: string[]) => () => new Response(frames.join(''), { headers: { 'content-type': 'text/event-stream' } })
const message = (id: string, number: number) => `id: ${id}\nevent: message\ndata: {"number":${number}}\n\n`
const status = (id: string, is: string) => `id: ${id}\nevent: status\ndata: {"status":"${is}"}\n\n`

async function untilIdle(events: AsyncIterable<ChatEvent>): Promise<string[]> {
  const received: string[] = []
  for await (const event of events) {
    received.push(event.kind === 'message' ? `message ${event.message.number}` : event.status)
    if (event.kind === 'status' && event.status === 'idle') break
  }
  return received
}

test('events of a chat continue after a lost connection where they were', async () => {
  const world = testWorld([says(message('1.1.', 1), status('1..a', 'answering')), says('event: newer\ndata: {}\n\n', message('2.2.a', 2), status('2..i', 'idle'))])
  const events = world.client.chats.events('m4k2x8qdpw')
  expect(await world.finish(untilIdle(events))).toEqual(['message 1', 'answering', 'message 2', 'idle'])
  expect(world.sent.map(({ url, headers }) => [new URL(url).pathname, headers['last-event-id']])).toEqual([
    ['/api/chats/m4k2x8qdpw/events', undefined],
    ['/api/chats/m4k2x8qdpw/events', '1..a'],
  ])
})

test('events of a chat resume after a given position', async () => {
  const world = testWorld([says(status('2..i', 'idle'))])
  expect(await world.finish(untilIdle(world.client.chats.events('m4k2x8qdpw', { after: '1..a' })))).toEqual(['idle'])
  expect(world.sent[0]!.headers['last-event-id']).toBe('1..a')
})
