import { describe, expect, test } from 'vitest'
import { type Charge, decideSignIn, type Draw, failuresOf, refundOf, type SignInDecision, signInLimits } from './sign-in-limits.ts'

const now = new Date('2026-01-05T09:00:00.000Z')
const later = (ms: number) => new Date(now.getTime() + ms)

const device: Draw = { limit: 'device', key: 'device:d' }
const pair: Draw = { limit: 'networkOnAccount', key: 'pair:p' }
const account: Draw = { limit: 'account', key: 'account:a' }
const network: Draw = { limit: 'network', key: 'network:n' }
const stranger = [pair, account, network]

/** A budget with this many failures in it. */
const holding = ({ limit, key }: Draw, failures: number) => [key, later(failures * signInLimits[limit].regainMs)] as const
const decide = (ways: Draw[][], held: (readonly [string, Date])[], at = now) =>
  decideSignIn({ ways, fullAt: new Map(held), now: at })
const chargesOf = (decision: SignInDecision): Charge[] => {
  if (!decision.isAllowed) throw new Error('refused')
  return decision.charges
}

describe('decideSignIn', () => {
  test('lets a stranger through and charges all three budgets', () => {
    const decision = decide([stranger], [])
    expect(decision).toEqual({
      isAllowed: true,
      way: 0,
      charges: [
        { ...pair, fullAt: later(60_000) },
        { ...account, fullAt: later(60_000) },
        { ...network, fullAt: later(2_000) },
      ],
    })
  })

  test.each([
    [pair, 10, 60_000],
    [account, 30, 60_000],
    [network, 100, 2_000],
  ])('rejects a stranger whose budget %o holds %i failures', (draw, burst, waitMs) => {
    expect(decide([stranger], [holding(draw, burst - 1)])).toMatchObject({ isAllowed: true })
    expect(decide([stranger], [holding(draw, burst)])).toEqual({ isAllowed: false, limit: draw.limit, waitMs })
    expect(decide([stranger], [holding(draw, burst)], later(waitMs - 1))).toMatchObject({ isAllowed: false, waitMs: 1 })
    expect(decide([stranger], [holding(draw, burst)], later(waitMs))).toMatchObject({ isAllowed: true })
  })

  test('names the budget with the longest wait', () => {
    expect(decide([stranger], [holding(network, 100), holding(account, 30)])).toMatchObject({ limit: 'account', waitMs: 60_000 })
  })

  test('a known device uses its own budget, whatever strangers have used up', () => {
    const spent = [holding(pair, 10), holding(account, 30), holding(network, 100)]
    const decision = decide([[device], stranger], spent)
    expect(decision).toEqual({ isAllowed: true, way: 0, charges: [{ ...device, fullAt: later(60_000) }] })
  })

  test('treats a device that has used up its budget as a stranger', () => {
    expect(decide([[device], stranger], [holding(device, 10)])).toMatchObject({ isAllowed: true, way: 1 })
    const spent = [holding(device, 10), holding(account, 30)]
    expect(decide([[device], stranger], spent)).toMatchObject({ isAllowed: false, waitMs: 60_000 })
  })

  test('no wait is longer than a minute, even if a clock was ahead when the failures were counted', () => {
    const ahead = [[account.key, later(24 * 3600_000)] as const]
    expect(decide([stranger], ahead)).toEqual({ isAllowed: false, limit: 'account', waitMs: 60_000 })
  })

  test('a budget that has long been full allows no more than its burst', () => {
    let held: (readonly [string, Date])[] = [[pair.key, later(-24 * 3600_000)]]
    let allowed = 0
    for (;;) {
      const decision = decide([[pair]], held)
      if (!decision.isAllowed) break
      allowed += 1
      held = [[pair.key, decision.charges[0]!.fullAt]]
    }
    expect(allowed).toBe(10)
  })

  test('one network cannot use up the whole budget of an account', () => {
    expect(signInLimits.networkOnAccount.burst * 3).toBeLessThanOrEqual(signInLimits.account.burst)
    expect(signInLimits.networkOnAccount.regainMs).toBeGreaterThanOrEqual(signInLimits.account.regainMs)
  })
})

test('failuresOf counts the failures in the budget, including the charge', () => {
  const [, charged] = chargesOf(decide([stranger], [holding(account, 11)]))
  expect(failuresOf(charged!, now)).toBe(12)
  expect(failuresOf(charged!, later(150_000))).toBe(10)
})

describe('refundOf', () => {
  const charges = chargesOf(decide([stranger], [holding(pair, 3), holding(account, 20), holding(network, 50)]))
  test('a right password forgives the typing errors before it, but not failures of others', () => {
    expect(refundOf(charges, 'right', now)).toEqual([
      { key: 'pair:p', backMs: 4 * 60_000 },
      { key: 'account:a', backMs: 4 * 60_000 },
      { key: 'network:n', backMs: 2_000 },
    ])
    const byDevice = chargesOf(decide([[device]], [holding(device, 9)]))
    expect(refundOf(byDevice, 'right', now)).toEqual([{ key: 'device:d', backMs: 10 * 60_000 }])
  })
  test('an attempt that was not verified refunds only itself', () => {
    expect(refundOf(charges, 'not judged', now).map(({ backMs }) => backMs)).toEqual([60_000, 60_000, 2_000])
  })
})
