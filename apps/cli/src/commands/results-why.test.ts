import type { ExplainedChange } from '@querypost/client'
import { expect, test } from 'vitest'
import { tryCommand } from '../../testing/command-context.ts'

const environment = { QUERYPOST_URL: 'https://querypost.test', QUERYPOST_API_KEY: `qp_live_${'k'.repeat(32)}` }
const point = (day: number) => ({ runId: `run_${day}`, at: `2026-03-0${day}T08:00:00.000Z` })
const change = {
  column: 'revenue',
  denominator: null,
  before: '30.1',
  after: '117.4',
  difference: '87.3',
  effects: null,
  rows: { added: '100', removed: '-20', changed: '7.3' },
  breakdowns: [
    {
      columns: ['country'],
      isKey: false,
      contributions: [
        { values: ['IT'], before: '0', after: '100', difference: '100' },
        { values: ['FR'], before: '20', after: '0', difference: '-20' },
      ],
      rest: { count: 2, difference: '7.3' },
    },
    { columns: ['day'], isKey: false, contributions: [], rest: { count: 0, difference: '0' } },
  ],
}
const explained = {
  sql: null,
  parameters: [],
  numberColumns: ['revenue'],
  measures: [{ column: 'revenue', denominator: null, before: '30.1', after: '117.4', difference: '87.3', parts: [{ causes: ['data'], difference: '87.3' }] }],
  steps: [{ causes: ['data'], from: point(1), to: point(2), keyColumns: ['id'], keyChoice: 'inferred', added: 1, removed: 1, changed: 2, measures: [change] }],
}

function why(args: string[], answer: object = explained) {
  const requested: URL[] = []
  const fetch = (async (url: string) => {
    requested.push(new URL(url))
    return Response.json(answer)
  }) as typeof globalThis.fetch
  return { requested, ended: tryCommand(['results', 'why', ...args], { environment, fetch }) }
}
const runs = ['k7Rm2QwXn4', '--from', 'run_1', '--to', 'run_2']

test('prints what contributes to the difference, largest first', async () => {
  const { exitCode, stdout, stderr } = await why(runs).ended
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(stdout).toMatchInlineSnapshot(`
    "revenue: 30.1 → 117.4 (+87.3)
      data: +87.3

    From 2026-03-01T08:00:00.000Z to 2026-03-02T08:00:00.000Z, data: +87.3
      1 row added: +100, 1 removed: -20, 2 changed: +7.3

    country              difference
    ───────────────────  ──────────
    IT                         +100
    FR                          -20
    everything else (2)        +7.3
    "
  `)
})

test('asks for a ratio, and prints the answer as JSON', async () => {
  const { requested, ended } = why([...runs, '--measure', 'orders', '--denominator', 'visits', '--json'])
  expect(JSON.parse((await ended).stdout) as ExplainedChange).toEqual(explained)
  expect(requested[0]!.pathname).toBe('/api/references/k7Rm2QwXn4/why')
  expect(Object.fromEntries(requested[0]!.searchParams)).toEqual({ from: 'run_1', to: 'run_2', measure: 'orders', denominator: 'visits' })
})

test('says that there is nothing to explain', async () => {
  expect((await why(runs, { ...explained, measures: [] }).ended).stdout).toContain('there is nothing to explain')
})

test.each([
  [[], 'Name one query'],
  [['k7Rm2QwXn4', '--from', 'run_1'], 'Name two runs with --from and --to.'],
])('rejects %j', async (args, message) => {
  const { exitCode, stderr } = await why(args).ended
  expect(exitCode).toBe(2)
  expect(stderr).toContain(message)
})
