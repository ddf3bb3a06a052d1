import { pino } from 'pino'
import { expect, test } from 'vitest'
import { manualClock } from '../../testing/manual-clock.ts'
import { openWithRetries, StoreUnreachable } from './open-with-retries.ts'

const url = 'postgres://querypost:hunter2@db.example:5432/querypost'
/** Lets pending work reach its next wait. */
const settle = () => new Promise((resolve) => setImmediate(resolve))
const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), { code: 'ECONNREFUSED' })

function scene(outcomes: (Error | 'open')[]) {
  const clock = manualClock()
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
  let tries = 0
  const open = async () => {
    const outcome = outcomes[Math.min(tries++, outcomes.length - 1)]!
    if (outcome instanceof Error) throw outcome
    return outcome
  }
  return { clock, lines, tries: () => tries, opening: openWithRetries({ url, open, clock, log }) }
}

test('retries while the store is not available and logs why', async () => {
  const { clock, lines, opening } = scene([refused, new AggregateError([refused, new Error('no route.')]), 'open'])
  await settle()
  await clock.advance(2000)
  expect(await opening).toBe('open')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toContain('PostgreSQL at db.example:5432/querypost cannot be used: connect ECONNREFUSED 10.0.0.5:5432.')
  expect(lines[1]).toContain('ECONNREFUSED 10.0.0.5:5432; no route.')
  expect(lines.join('')).not.toContain('hunter2')
})

test('gives up after a minute', async () => {
  const { clock, opening, tries } = scene([refused])
  const ended = opening.catch((error: unknown) => error)
  await settle()
  for (let second = 0; second < 61; second += 1) await clock.advance(1000)
  expect(await ended).toBeInstanceOf(StoreUnreachable)
  expect(String(await ended)).toContain('Gave up after 60 seconds')
  expect(tries()).toBe(61)
})

test.each(['28P01', '28000', '3D000', '42501'])('fails at once on an error that waiting cannot fix (%s)', async (code) => {
  const { opening, tries } = scene([Object.assign(new Error('password authentication failed for user "querypost"'), { code })])
  await expect(opening).rejects.toThrow('password authentication failed for user "querypost". Set DATABASE_URL')
  expect(tries()).toBe(1)
})

test.each(['57P03', '53300', 'ENOTFOUND'])('retries on a temporary error (%s)', async (code) => {
  const { clock, opening } = scene([Object.assign(new Error('not now'), { code }), 'open'])
  await settle()
  await clock.advance(1000)
  expect(await opening).toBe('open')
})
