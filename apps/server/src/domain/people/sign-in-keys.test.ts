import { describe, expect, test } from 'vitest'
import { networkOf, waysOf } from './sign-in-keys.ts'

describe('networkOf', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:0db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['nonsense', 'unknown'],
    [null, 'unknown'],
  ])('%s belongs to %s', (address, network) => expect(networkOf(address)).toBe(network))
})

describe('waysOf', () => {
  const keys = (account: string, address: string) => waysOf({ account, address }).flat().map(({ key }) => key)

  test('spellings of an e-mail share their budgets', () => {
    expect(keys(' JANE@example.com', '203.0.113.7')).toEqual(keys('jane@example.com', '203.0.113.7'))
  })

  test('an account has one budget across networks, a network one across accounts', () => {
    const [here, there, other] = [keys('a@x.test', '203.0.113.7'), keys('a@x.test', '203.0.113.8'), keys('b@x.test', '203.0.113.7')]
    expect([here[0] === there[0], here[1] === there[1], here[2] === there[2]]).toEqual([false, true, false])
    expect([here[0] === other[0], here[1] === other[1], here[2] === other[2]]).toEqual([false, false, true])
  })

  test('keys are short and contain no e-mail, whatever is typed', () => {
    const made = keys(`${'x'.repeat(100_000)}@example.com`, '2001:db8:1111:2222:3333:4444:5555:6666')
    for (const key of made) expect(key).toMatch(/^(pair|account|network):[\w:/-]{1,60}$/)
  })

  test('a known device prefers its own budget, and a session has no other', () => {
    const ways = waysOf({ account: 'a@x.test', address: '203.0.113.7', deviceId: 'd1' })
    expect(ways.map((way) => way.map(({ limit }) => limit))).toEqual([['device'], ['networkOnAccount', 'account', 'network']])
    expect(waysOf({ sessionId: 'session_1' })).toEqual([[{ limit: 'session', key: 'session:session_1' }]])
  })
})
