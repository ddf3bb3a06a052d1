import { describe, expect, test } from 'vitest'
import type { AlertCondition, AlertObservation, AlertRows, AlertState, AlertTest, PastFigures } from '../../../model/alert.ts'
import { seededRandom } from '../../../../testing/seeded-random.ts'
import { type AlertDecision, decideAlert } from './decide-alert.ts'

/** Numbers from 0 to 1. */
function chance(seed: string): () => number {
  const random = seededRandom(seed)
  return () => Buffer.from(random.bytes(4)).readUInt32BE() / 2 ** 32
}

const hourMs = 3600_000
const beganMs = Date.parse('2026-03-02T08:00:00Z')

type Step = Partial<Omit<AlertObservation, 'at'>> & { value?: string | number | null; failure?: string; atHours?: number }

/** Decides about one result after the other, an hour apart, and returns all decisions. */
function replay(
  settings: { tests: AlertTest[] } & Partial<AlertCondition>,
  steps: Step[],
  options: { snoozedUntil?: Date } = {},
): AlertDecision[] {
  let state: AlertState | null = null
  const history: PastFigures[] = []
  return steps.map(({ value, failure, atHours, ...given }, index) => {
    const now = new Date(beganMs + (atHours ?? index) * hourMs)
    const figures = { 'first x': value === undefined || value === null ? null : String(value), ...given.figures }
    const result = { runId: `run_${index}`, at: now, rowCount: 1, newestTimes: {}, newRows: {}, faults: {}, ...given, figures }
    const decision = decideAlert({
      settings: { muteWindows: [], ...settings },
      state,
      observed: failure === undefined ? { result } : { failure, runId: `run_${index}` },
      history,
      snoozedUntil: options.snoozedUntil ?? null,
      now,
    })
    state = decision.state
    if (failure === undefined) history.push({ at: now, figures })
    return decision
  })
}

const statuses = (decisions: AlertDecision[]) => decisions.map(({ state }) => state.status)
const messages = (decisions: AlertDecision[]) => decisions.map(({ message }) => message?.kind ?? null)

const above: AlertTest = { kind: 'threshold', column: 'x', comparison: '>', number: 100, severity: 'warning' }
const values = (...given: (number | string | null)[]) => given.map((value) => ({ value }))

describe('threshold', () => {
  test('announces each change once', () => {
    const decisions = replay({ tests: [above] }, values(5, 101, 150, 100, 99, 101))
    expect(statuses(decisions)).toEqual(['ok', 'firing', 'firing', 'resolved', 'resolved', 'firing'])
    expect(messages(decisions)).toEqual([null, 'fired', null, 'resolved', null, 'fired'])
    expect(decisions.map(({ change }) => change?.number ?? null)).toEqual([null, 1, null, 2, null, 3])
    expect(decisions[1]!.message).toEqual({ kind: 'fired', severity: 'warning', finding: 'The first value of "x" is 101, which is > 100.' })
  })

  test('resolves only beyond its second limit', () => {
    const decisions = replay({ tests: [{ ...above, resolveAt: 90 }] }, values(101, 95, 90, 89, 95, 101))
    expect(statuses(decisions)).toEqual(['firing', 'firing', 'firing', 'resolved', 'resolved', 'firing'])
    const below: AlertTest = { ...above, comparison: '<=', number: 10, resolveAt: 20 }
    expect(statuses(replay({ tests: [below] }, values(10, 20, 20.5)))).toEqual(['firing', 'firing', 'resolved'])
  })

  test('fires after so many results in a row', () => {
    const decisions = replay({ tests: [{ ...above, forRuns: 3 }] }, values(101, 101, 1, 101, 101, 101, 1))
    expect(messages(decisions)).toEqual([null, null, null, null, null, 'fired', 'resolved'])
  })

  test('compares digits that a floating-point number does not have', () => {
    const limit: AlertTest = { ...above, comparison: '>=', number: 0.3 }
    expect(statuses(replay({ tests: [limit] }, values('0.29999999999999999999', '0.30')))).toEqual(['ok', 'firing'])
  })

  test('compares the number of rows without a column', () => {
    const rows: AlertTest = { kind: 'threshold', comparison: '>', number: 2, severity: 'info' }
    const [decision] = replay({ tests: [rows] }, [{ rowCount: 3, figures: { rows: '3' } }])
    expect(decision!.message).toEqual({ kind: 'fired', severity: 'info', finding: 'The number of rows is 3, which is > 2.' })
  })
})

describe('change', () => {
  const byPercent = (changes: Partial<AlertTest>): AlertTest =>
    ({ kind: 'change', column: 'x', against: 'previous', direction: 'either', by: 10, unit: 'percent', severity: 'warning', ...changes }) as AlertTest

  test.each<[string, AlertTest, (number | string)[], string[]]>([
    ['percent in either direction', byPercent({}), [100, 109.99, 121, 108, 97.2], ['ok', 'ok', 'firing', 'firing', 'firing']],
    ['only upward', byPercent({ direction: 'up' }), [100, 50, 100], ['ok', 'ok', 'firing']],
    ['only downward', byPercent({ direction: 'down' }), [100, 200, 100], ['ok', 'ok', 'firing']],
    ['absolute', byPercent({ unit: 'absolute' }), [100, 109, 119], ['ok', 'ok', 'firing']],
    ['from zero', byPercent({}), [0, 0, 1], ['ok', 'ok', 'firing']],
    ['exactly the limit, as decimals', byPercent({}), ['0.1', '0.11'], ['ok', 'firing']],
    ['of negative numbers', byPercent({}), [-100, -109, -120], ['ok', 'ok', 'firing']],
  ])('%s', (_, changeTest, given, expected) => {
    expect(statuses(replay({ tests: [changeTest] }, values(...given)))).toEqual(expected)
  })

  test('compares with the result nearest to one period before', () => {
    const weekly = byPercent({ against: 'week' })
    const steps = [
      { value: 100, atHours: 0 },
      { value: 500, atHours: 24 },
      { value: 105, atHours: 7 * 24 + 1 },
      { value: 600, atHours: 8 * 24 - 1 },
      { value: 1, atHours: 12 * 24 },
    ]
    expect(statuses(replay({ tests: [weekly] }, steps))).toEqual(['ok', 'ok', 'ok', 'firing', 'resolved'])
  })

  test('counts months by the calendar', () => {
    const at = (day: string) => (Date.parse(`${day}T08:00:00Z`) - beganMs) / hourMs
    const steps = [
      { value: 10, atHours: at('2026-03-02') },
      { value: 20, atHours: at('2026-04-02') },
      { value: 30, atHours: at('2026-04-30') },
      { value: 60, atHours: at('2026-05-31') },
    ]
    expect(statuses(replay({ tests: [byPercent({ against: 'month' })] }, steps))).toEqual(['ok', 'firing', 'resolved', 'firing'])
  })
})

describe('unusual value', () => {
  const unusual: AlertTest = { kind: 'unusual', column: 'x', deviations: 3, results: 30, severity: 'warning' }
  const usual = [10, 12, 11, 9, 10, 11, 12, 10, 9, 11]

  test('fires at three standard deviations', () => {
    const decisions = replay({ tests: [unusual] }, values(...usual, 11, 40, 10))
    expect(messages(decisions).slice(10)).toEqual([null, 'fired', 'resolved'])
    expect(decisions[11]!.message!.finding).toContain('28.4 standard deviations from the mean of the last 11 results')
  })

  test('waits for enough results', () => {
    expect(messages(replay({ tests: [unusual] }, values(...usual.slice(0, 7), 1000)))).toEqual(Array(8).fill(null))
  })

  test('treats any other value as unusual if all earlier ones are equal', () => {
    expect(messages(replay({ tests: [unusual] }, values(...Array(8).fill(5), 5, 6))).slice(8)).toEqual([null, 'fired'])
  })

  test('agrees with a computation in floating point', () => {
    const next = chance('unusual values')
    for (let round = 0; round < 200; round++) {
      const past = Array.from({ length: 8 + Math.floor(next() * 20) }, () => Math.round(next() * 1000) / 10)
      const value = Math.round(next() * 2000) / 10
      const mean = past.reduce((sum, each) => sum + each, 0) / past.length
      const deviation = Math.sqrt(past.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (past.length - 1))
      const score = Math.abs(value - mean) / deviation
      if (Math.abs(score - 3) < 1e-6) continue
      expect(statuses(replay({ tests: [{ ...unusual, results: 365 }] }, values(...past, value))).at(-1) === 'firing').toBe(score >= 3)
    }
  })
})

describe('rows and times', () => {
  const rows = (count: number): AlertRows => ({ count, fields: [{ name: 'id', type: 'integer' }], rows: [[count]] })
  const fresh: AlertTest = { kind: 'new_rows', keyColumns: ['id'], severity: 'info' }
  const found = (count: number | null) => ({ newRows: { '["id"]': count === null ? null : rows(count) } })

  test('announces new rows each time, and never that there are no more', () => {
    const decisions = replay({ tests: [fresh] }, [found(null), found(2), found(1), found(0), found(3)])
    expect(messages(decisions)).toEqual([null, 'fired', 'fired', null, 'fired'])
    expect(statuses(decisions)).toEqual(['ok', 'firing', 'firing', 'ok', 'firing'])
    expect(decisions[2]!.change!.rows).toEqual(rows(1))
  })

  test('announces rows of a quiet time when it ends, even if there are no more', () => {
    const snoozedUntil = new Date(beganMs + 3 * hourMs)
    const decisions = replay({ tests: [fresh] }, [found(null), found(2), found(0), found(0), found(0)], { snoozedUntil })
    expect(messages(decisions)).toEqual([null, null, null, 'fired', null])
    expect(decisions[1]).toMatchObject({ quietBecause: 'snoozed', announceAt: snoozedUntil })
  })

  test('announces a lasting test that joins new rows', () => {
    const decisions = replay({ tests: [fresh, { ...above, severity: 'info' }] }, [
      { ...found(1), value: 1 },
      { ...found(0), value: 200 },
      { ...found(0), value: 1 },
    ])
    expect(messages(decisions)).toEqual(['fired', 'fired', 'resolved'])
  })

  test('fires without rows', () => {
    expect(messages(replay({ tests: [{ kind: 'no_rows', severity: 'critical' }] }, [{ rowCount: 1 }, { rowCount: 0 }, { rowCount: 2 }]))).toEqual([
      null,
      'fired',
      'resolved',
    ])
  })

  test('fires if the newest time is too old', () => {
    const stale: AlertTest = { kind: 'stale', column: 'at', hours: 2, severity: 'warning' }
    const newest = { newestTimes: { at: beganMs } }
    const decisions = replay({ tests: [stale] }, [newest, newest, newest, newest, { newestTimes: { at: null } }])
    expect(statuses(decisions)).toEqual(['ok', 'ok', 'ok', 'firing', 'no_data'])
    expect(decisions[3]!.message!.finding).toBe('The newest "at" is 2026-03-02T08:00:00.000Z, 3 hours ago.')
  })
})

describe('several tests', () => {
  const critical: AlertTest = { ...above, number: 200, severity: 'critical' }

  test('fires if any of them does, and announces a higher severity', () => {
    const decisions = replay({ tests: [above, critical] }, values(50, 101, 201, 150, 201, 50))
    expect(messages(decisions)).toEqual([null, 'fired', 'fired', null, null, 'resolved'])
    expect(decisions.map(({ message }) => message?.severity ?? null)).toEqual([null, 'warning', 'critical', null, null, 'critical'])
  })
})

describe('no data and failures', () => {
  test('are changes of their own, and keep an incident open', () => {
    const decisions = replay({ tests: [above] }, [{ value: 101 }, { value: null }, { failure: 'Timeout.' }, { value: 101 }, { value: null }, { value: 1 }])
    expect(statuses(decisions)).toEqual(['firing', 'no_data', 'failing', 'firing', 'no_data', 'resolved'])
    expect(messages(decisions)).toEqual(['fired', 'no_data', 'failing', 'fired', 'no_data', 'resolved'])
  })

  test('recover without an incident', () => {
    expect(messages(replay({ tests: [above] }, [{ failure: 'Timeout.' }, { failure: 'Timeout.' }, { value: 1 }]))).toEqual(['failing', null, 'recovered'])
  })

  test('a column that is missing is a failure', () => {
    const [decision] = replay({ tests: [above] }, [{ faults: { 'first x': 'The result has no column "x".' } }])
    expect(decision!.state).toMatchObject({ status: 'failing', finding: 'The result has no column "x".' })
  })

  test('do not count toward results in a row', () => {
    expect(messages(replay({ tests: [{ ...above, forRuns: 2 }] }, [{ value: 101 }, { failure: 'Timeout.' }, { value: 101 }]))).toEqual([null, 'failing', 'fired'])
  })
})

describe('quiet times', () => {
  const snoozedUntil = new Date(beganMs + 2 * hourMs)

  test('delay a message until they end', () => {
    const decisions = replay({ tests: [above] }, values(101, 101, 101, 101), { snoozedUntil })
    expect(messages(decisions)).toEqual([null, null, 'fired', null])
  })

  test('drop a change that has been undone', () => {
    expect(messages(replay({ tests: [above] }, values(101, 1, 1, 1), { snoozedUntil }))).toEqual([null, null, null, null])
  })

  test('a waiting message is decided without a new result', () => {
    const [fired] = replay({ tests: [above] }, values(101), { snoozedUntil })
    const base = { settings: { tests: [above], muteWindows: [] }, observed: null, history: [], snoozedUntil }
    const early = decideAlert({ ...base, state: fired!.state, now: new Date(beganMs + hourMs) })
    expect(early).toMatchObject({ message: null, announceAt: snoozedUntil })
    const late = decideAlert({ ...base, state: early.state, now: snoozedUntil })
    expect(late).toMatchObject({ message: { kind: 'fired' }, change: null })
    expect(decideAlert({ ...base, state: late.state, now: snoozedUntil }).message).toBeNull()
  })
})

test('random histories: each message announces a new state, and none is missing while the alert is not quiet', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const next = chance(`seed ${seed}`)
    const pick = <Value>(from: readonly Value[]) => from[Math.floor(next() * from.length)]!
    const tests = [above, { ...above, number: 200, severity: 'critical' as const, forRuns: 2 }].slice(0, pick([1, 2]))
    const steps = Array.from({ length: 30 }, (): Step => pick([{ value: 1 }, { value: 150 }, { value: 250 }, { value: null }, { failure: 'Timeout.' }]))
    const quietSteps = Math.floor(next() * 20)
    const decisions = replay({ tests }, steps, { snoozedUntil: new Date(beganMs + quietSteps * hourMs) })
    const expected: string[] = []
    let known = 'fine'
    for (const [index, { state }] of decisions.entries()) {
      const isFine = state.status === 'ok' || state.status === 'resolved'
      const now = isFine ? 'fine' : state.status === 'firing' ? `firing, ${state.severity}` : state.status
      if (index < quietSteps || now === known) continue
      expected.push(`${index}: ${now}`)
      known = now
    }
    const announced = decisions.flatMap(({ message, state }, index) => (message ? [{ index, number: state.number }] : []))
    expect(announced.map(({ index }) => index), `seed ${seed}: ${expected.join('; ')}`).toEqual(expected.map((text) => Number.parseInt(text, 10)))
    const numbers = announced.map(({ number }) => number)
    expect(numbers, `seed ${seed}`).toEqual([...new Set(numbers)].sort((a, b) => a - b))
  }
})
