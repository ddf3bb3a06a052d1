import { describe, expect, test } from 'vitest'
import type { ParameterType } from '../../model/parameter.ts'
import { stateOf } from './board-results.ts'
import { valuesInUrl, valuesOfBoard, valuesOfTile } from './tile-values.ts'

const definition = (name: string, type: ParameterType, defaultValue = '') => ({ name, displayName: name, type, defaultValue, description: '' })

test('a board’s values are those given, in canonical form, and defaults', () => {
  const definitions = [definition('least', 'number', '2'), definition('since', 'date'), definition('land', 'text')]
  expect(valuesOfBoard(definitions, {})).toEqual({ least: 2, land: '' })
  expect(valuesOfBoard(definitions, { least: '07', since: '2026-01-31' })).toEqual({ least: 7, since: '2026-01-31', land: '' })
})

test('a board’s lists and date ranges start with their defaults', () => {
  const list = (name: string, defaultValue = '') => ({ ...definition(name, 'text', defaultValue), isList: true })
  const definitions = [list('lands', '["DE","FR"]'), list('none'), definition('period', 'dateRange', 'last 30 days')]
  expect(valuesOfBoard(definitions, {})).toEqual({ lands: ['DE', 'FR'], period: 'last 30 days' })
  expect(valuesOfBoard(definitions, { lands: [], none: ['x'], period: 'This Month' })).toEqual({ lands: [], none: ['x'], period: 'this month' })
})

test('rejects values of unknown parameters and values that do not fit', () => {
  const definitions = [definition('least', 'number')]
  expect(() => valuesOfBoard(definitions, { most: 1 })).toThrow(/no parameter "most"/)
  expect(() => valuesOfBoard(definitions, { least: 'many' })).toThrow(/"least" does not fit/)
})

test('reads values from a URL, where a list is repeated and an empty list is an empty text', () => {
  const definitions = [definition('land', 'text'), { ...definition('lands', 'text'), isList: true }]
  expect(valuesInUrl(definitions, { land: 'DE', lands: ['DE', 'FR'] })).toEqual({ land: 'DE', lands: ['DE', 'FR'] })
  expect(valuesInUrl(definitions, { lands: 'DE' })).toEqual({ lands: ['DE'] })
  expect(valuesInUrl(definitions, { lands: '' })).toEqual({ lands: [] })
  expect(() => valuesOfBoard(definitions, valuesInUrl(definitions, { land: ['DE', 'FR'] }))).toThrow(/"land" does not fit/)
  expect(() => valuesOfBoard(definitions, valuesInUrl(definitions, { other: 'x' }))).toThrow(/no parameter "other"/)
})

test('a tile takes the values that are mapped, if its query has such parameters', () => {
  const tile = { parameterMapping: { n: 'least', old: 'least', since: 'from' } }
  expect(valuesOfTile(tile, { least: 3 }, (name) => name !== 'old')).toEqual({ n: 3 })
  expect(valuesOfTile({}, { least: 3 }, () => true)).toEqual({})
})

describe('the state of a tile', () => {
  const at = new Date('2026-01-05T09:00:00Z')
  const completed = (number: number, isStored = true) => ({ runId: `run_${number}`, number, completedAt: at, isStored })
  const failed = (number: number, isStopped = false) => ({ number, reason: 'No such table', isStopped })
  const runs = { completed: null, failed: null, unfinished: null, isWaiting: false }
  const unfinished = { runId: 'run_2', runAt: at, progress: 40, rowCountSoFar: 7 }
  const none = {
    runId: null,
    completedAt: null,
    failureReason: null,
    runningRunId: null,
    runningSince: null,
    progress: null,
    rowCountSoFar: null,
    isStopped: false,
  }
  const running = { status: 'running', runningRunId: 'run_2', runningSince: at, progress: 40, rowCountSoFar: 7 }
  const shown = { ...none, runId: 'run_1', completedAt: at }

  test.each([
    ['never run', runs, { ...none, status: 'missing' }],
    ['completed', { ...runs, completed: completed(1) }, { ...shown, status: 'ready' }],
    ['expired', { ...runs, completed: completed(1, false) }, { ...none, status: 'expired' }],
    ['running for the first time', { ...runs, unfinished }, { ...none, ...running }],
    ['waiting to be run again', { ...runs, completed: completed(1), isWaiting: true }, { ...shown, status: 'running' }],
    ['failed', { ...runs, failed: failed(1) }, { ...none, status: 'failed', failureReason: 'No such table' }],
    ['failed since', { ...runs, completed: completed(1), failed: failed(2) }, { ...shown, status: 'failed', failureReason: 'No such table' }],
    ['failed before', { ...runs, completed: completed(1), failed: failed(0) }, { ...shown, status: 'ready' }],
    ['stopped since', { ...runs, completed: completed(1), failed: failed(2, true) }, { ...shown, status: 'ready', isStopped: true }],
    ['stopped', { ...runs, failed: failed(1, true) }, { ...none, status: 'failed', failureReason: 'No such table', isStopped: true }],
  ])('%s', (_, of, state) => {
    expect(stateOf(of, { isDatabaseDeleted: false })).toEqual(state)
  })

  test('without a database, only a stored result can be shown', () => {
    expect(stateOf({ ...runs, completed: completed(1) }, { isDatabaseDeleted: true })).toEqual({ ...shown, status: 'ready' })
    expect(stateOf({ ...runs, completed: completed(1, false) }, { isDatabaseDeleted: true })).toMatchObject({
      status: 'failed',
      failureReason: expect.stringContaining('database'),
    })
  })
})
