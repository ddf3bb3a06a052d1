import type { FrameMessage, HostMessage } from '@querypost/embed/protocol'
import { expect, test } from 'vitest'
import { makeTokenKeeper, renewalDelayMs, rightsOf, type TokenChange } from './token-keeper.ts'

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const sign = (claims: object) => `${encode({ alg: 'HS256' })}.${encode(claims)}.signature`
const tenant = (id: number, exp: number) => sign({ shortId: 'board', parameters: { tenant: id, name: 'Zoë' }, iat: exp - 600, exp })

function open(first?: string) {
  const sent: string[] = []
  const timers: (() => void)[] = []
  let hear: (message: HostMessage) => void = () => undefined
  const channel = {
    send: ({ type }: FrameMessage) => void sent.push(type),
    listen: (listener: typeof hear) => {
      hear = listener
      return () => undefined
    },
  }
  const keeper = makeTokenKeeper({
    channel,
    first,
    setTimer: (act) => {
      timers.push(act)
      return () => timers.splice(timers.indexOf(act), 1)
    },
  })
  const changes: TokenChange[] = []
  keeper.listen((change) => changes.push(change))
  return { keeper, sent, timers, changes, receive: (message: HostMessage) => hear(message) }
}

test('asks once for all that wait, and continues with the new token', async () => {
  const { keeper, sent, timers, changes, receive } = open(tenant(1, 1000))
  const waiting = Promise.all([keeper.renew(), keeper.renew()])
  expect(sent).toEqual(['querypost:token-needed'])
  receive({ type: 'querypost:token', token: tenant(1, 2000) })
  await waiting
  expect([keeper.current(), changes, timers]).toEqual([tenant(1, 2000), [{ isSameView: true }], []])
})

test('rejects if the page has no token or does not answer, and can ask again', async () => {
  const { keeper, sent, timers, receive } = open(tenant(1, 1000))
  const failed = keeper.renew()
  receive({ type: 'querypost:token-failed' })
  await expect(failed).rejects.toThrow('There is no new token.')
  const unanswered = keeper.renew()
  timers[0]!()
  await expect(unanswered).rejects.toThrow('Nobody answered.')
  expect([sent.length, keeper.current()]).toEqual([2, tenant(1, 1000)])
})

test('tells a token for other rows from one for the same', () => {
  const { changes, receive } = open(tenant(1, 1000))
  for (const token of [tenant(2, 1000), tenant(2, 2000), 'a.b.c', 'a.b.c']) receive({ type: 'querypost:token', token })
  expect(changes.map(({ isSameView }) => isSameView)).toEqual([false, true, false, true])
})

test('compares rights in any order, and at any depth', () => {
  expect(rightsOf(sign({ a: { c: 1, b: 2 }, d: 3, iat: 1 }))).toBe(rightsOf(sign({ exp: 9, d: 3, a: { b: 2, c: 1 } })))
  expect(rightsOf(sign({ a: { b: 2 } }))).not.toBe(rightsOf(sign({ a: { b: 3 } })))
  expect(rightsOf('no token')).toBeUndefined()
})

test('asks a minute before a token expires, and earlier for short ones', () => {
  expect([600, 120, 90, 10].map(renewalDelayMs)).toEqual([540_000, 60_000, 45_000, 5_000])
})
