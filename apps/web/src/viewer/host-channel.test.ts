import { expect, test } from 'vitest'
import { type FrameWindow, openHostChannel } from './host-channel.ts'

const app = 'https://app.example.com'
const shop = 'https://shop.example.com'
const token = { type: 'querypost:token', token: 'a.b.c' }
const ready = { type: 'querypost:ready', title: 'Sales' } as const

/** A frame of a page, and what it sends and hears. */
function openFrame(options: { listed?: string[]; ancestors?: string[]; referrer?: string; isTop?: boolean }) {
  const sent: [target: string, type: string][] = []
  const parent = { postMessage: (message: unknown, target: string) => void sent.push([target, (message as { type: string }).type]) }
  const receivers: Parameters<FrameWindow['addEventListener']>[1][] = []
  const frame = {
    parent,
    location: options.ancestors ? { ancestorOrigins: options.ancestors } : {},
    document: { referrer: options.referrer ?? '' },
    addEventListener: (_: 'message', receiver: (typeof receivers)[number]) => void receivers.push(receiver),
  }
  if (options.isTop) Object.assign(frame, { parent: frame, postMessage: parent.postMessage })
  const channel = openHostChannel(frame, options.listed ?? [app, shop])
  const heard: string[] = []
  channel.listen(({ type }) => heard.push(type))
  const receive = (origin: string, data: unknown = token, source: unknown = parent) => {
    for (const receiver of receivers) receiver({ source, origin, data })
  }
  return { channel, sent, heard, receive }
}

test.each([
  ['its place in the browser', { ancestors: [shop, 'https://other.example.com'] }],
  ['the referrer', { referrer: `${shop}/portal?id=1` }],
  ['the only listed origin', { listed: [shop] }],
])('knows the host by %s', (_, options) => {
  const { channel, sent, heard, receive } = openFrame(options)
  channel.send(ready)
  expect(sent).toEqual([[shop, ready.type]])
  receive(app)
  expect(heard).toEqual([])
  receive(shop)
  expect(heard).toEqual([token.type])
})

test('waits for the first accepted message where the browser does not tell the host, then talks only to it', () => {
  const { channel, sent, heard, receive } = openFrame({ referrer: 'https://querypost.example.com/' })
  channel.send({ type: 'querypost:height', height: 100 })
  channel.send({ type: 'querypost:height', height: 200 })
  expect(sent).toEqual([])
  receive('https://evil.example.com', { type: 'querypost:connect' })
  receive(shop, { type: 'unknown' })
  expect(sent).toEqual([])
  receive(shop, { type: 'querypost:connect' })
  expect(sent).toEqual([[shop, 'querypost:connected'], [shop, 'querypost:height']])
  receive(app)
  expect(heard).toEqual(['querypost:connect'])
})

test('neither talks to nor obeys a host that is not listed', () => {
  const evil = 'https://app.example.com.evil.example'
  for (const options of [{ ancestors: [evil] }, { listed: [] }, { ancestors: ['null'] }]) {
    const { channel, sent, heard, receive } = openFrame(options)
    channel.send(ready)
    for (const origin of [evil, 'null', '', app]) receive(origin)
    expect([sent, heard]).toEqual([[], []])
  }
})

test('ignores other windows of a listed origin, and messages of another shape', () => {
  const { heard, receive } = openFrame({ ancestors: [app] })
  receive(app, token, {})
  receive(app, token, null)
  for (const data of [null, 'querypost:token', { type: 'querypost:token' }, { type: 'querypost:token', token: '<b>' }]) receive(app, data)
  expect(heard).toEqual([])
})

test('a page that is not in a frame sends nothing', () => {
  const { channel, sent, receive, heard } = openFrame({ isTop: true, listed: [app] })
  channel.send(ready)
  receive(app)
  expect([sent, heard]).toEqual([[], []])
})
