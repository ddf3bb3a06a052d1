import { expect, test } from 'vitest'
import type { Run } from '../../model/run.ts'
import { describeProgress, presentRunAnswer } from './present-run.ts'

const pending: Run = {
  id: 'run_1',
  queryId: '0196a1c2-7f3e-7b1a-9c55-3f0d2b8e4a11',
  number: 1,
  status: 'pending',
  runAt: new Date('2026-01-05T09:00:00.000Z'),
  startedAt: null,
  completedAt: null,
  triggerId: 'key_1',
  parameterValues: { day: '2026-01-05', note: 'x'.repeat(300), most: 3 },
  parameterTypes: {},
  renderedSql: 'select 1',
  failureReason: null,
  errorPosition: null,
  rowsRead: null,
  rowsWritten: null,
  bytesRead: null,
  rowCount: null,
  rowCountSoFar: null,
  progress: null,
  resultSizeBytes: null,
  resultHash: null,
}

test.each<[Partial<Run>, string]>([
  [{}, 'pending'],
  [{ status: 'running' }, 'running'],
  [{ status: 'running', progress: 41.6 }, 'running, 42 % done before the first row'],
  [{ status: 'running', progress: 100, rowCountSoFar: 12_000 }, 'running, 12000 rows so far'],
  [{ status: 'completed', rowCount: 5 }, 'completed'],
])('%j is described as “%s”', (run, words) => {
  expect(describeProgress({ ...pending, ...run })).toBe(words)
})

test('truncates long values, and suggests the next step by status', () => {
  const place = { baseUrl: 'https://querypost.test' }
  expect(presentRunAnswer(pending, place)).toMatchObject({
    parameterValues: { day: '2026-01-05', note: `${'x'.repeat(200)}… [100 more characters]`, most: 3 },
    url: 'https://querypost.test/runs/run_1',
    next: expect.stringMatching(/get_run .* stop_run/),
  })
  expect(presentRunAnswer({ ...pending, status: 'completed' }, place).next).toMatch(/^Use read_result with runId run_1/)
  expect(presentRunAnswer({ ...pending, status: 'failed' }, place).next).toMatch(/^It failed/)
})
