import { describe, expect, test } from 'vitest'
import { ConflictError, RunFailedError, TimeoutError } from './errors.ts'
import { pollWaitMs } from './poll.ts'
import { answer, connectionLost, refusal, testWorld } from '../testing/client-world.ts'

const id = '0196a1c2-7f3e-7b1a-9c55-3f0d2b8e4a11'
const result = { fields: [{ name: 'n', type: 'integer' }], rows: [[1]], rowCount: 1 }
const run = (status = 'pending', runId = 'run_1') => answer(202, { id: runId, status })
const query = (status: string, more: { runId?: string; failureReason?: string } = {}) =>
  answer(200, {
    id,
    latestRun: { id: more.runId ?? 'run_1', status },
    latestRunMetadata: { failureReason: more.failureReason ?? null },
  })
const cached = () => answer(200, result, { etag: '"abc"' })
const asked = (world: { sent: { method: string; url: string }[] }) =>
  world.sent.map(({ method, url }) => `${method} ${url.split(id)[1]}`)

test('refreshes, polls until the run has ended, and reads the result', async () => {
  const world = testWorld([run(), query('pending'), query('running'), query('completed'), cached()])
  const seen: string[] = []
  const given = await world.finish(world.client.queries.refreshAndWait(id, { onRun: (each) => seen.push(each.status) }))
  expect(given).toEqual({ ...result, isNotModified: false, etag: '"abc"' })
  expect(seen).toEqual(['pending', 'pending', 'running', 'completed'])
  expect(asked(world)).toEqual(['POST /refresh', 'GET ', 'GET ', 'GET ', 'GET /result'])
  expect(world.sent.map(({ atMs }) => atMs)).toEqual([0, 100, 250, 475, 475])
})

test('polls after 100 ms at first and 2 s at last, half of it random', () => {
  const waits = (random: number) => [1, 2, 5, 8, 9, 50].map((look) => Math.round(pollWaitMs(look, () => random)))
  expect(waits(1)).toEqual([100, 150, 506, 1709, 2000, 2000])
  expect(waits(0)).toEqual([50, 75, 253, 854, 1000, 1000])
})

test('a failed run is an error with its reason', async () => {
  const world = testWorld([run(), query('failed', { failureReason: 'no such table' })])
  const error = await world.caught(world.client.queries.refreshAndWait(id))
  expect(error).toBeInstanceOf(RunFailedError)
  expect(error).toMatchObject({ code: 'run_failed', reason: 'no such table', run: { id: 'run_1', status: 'failed' } })
})

test('follows a newer run, whose result is at least as fresh', async () => {
  const world = testWorld([run(), query('running', { runId: 'run_2' }), query('completed', { runId: 'run_2' }), cached()])
  const seen: string[] = []
  await world.finish(world.client.queries.refreshAndWait(id, { onRun: (each) => seen.push(each.id) }))
  expect(seen).toEqual(['run_1', 'run_2', 'run_2'])
})

describe('a query that is already running', () => {
  test('is a conflict', async () => {
    const world = testWorld([refusal(409, 'query_already_running')])
    expect(await world.caught(world.client.queries.refreshAndWait(id))).toBeInstanceOf(ConflictError)
  })

  test('is waited for with joinRunning', async () => {
    const world = testWorld([refusal(409, 'query_already_running'), query('running'), query('completed'), cached()])
    expect(await world.finish(world.client.queries.refreshAndWait(id, { joinRunning: true }))).toMatchObject(result)
  })

  test('is our own if the response to the first refresh was lost: the same key gets its run', async () => {
    const world = testWorld([connectionLost(), run(), query('completed'), cached()])
    expect(await world.finish(world.client.queries.refreshAndWait(id))).toMatchObject(result)
    const [first, second] = world.sent
    expect(second!.headers['idempotency-key']).toBe(first!.headers['idempotency-key'])
  })

  test('may be someone else’s after a lost response', async () => {
    const meets = () => [connectionLost(), refusal(409, 'query_already_running'), query('completed'), cached()]
    const joining = testWorld(meets())
    expect(await joining.finish(joining.client.queries.refreshAndWait(id, { joinRunning: true }))).toMatchObject(result)
    const alone = testWorld(meets())
    expect(await alone.caught(alone.client.queries.refreshAndWait(id))).toBeInstanceOf(ConflictError)
  })

  test('is not confused with other conflicts', async () => {
    const world = testWorld([refusal(409, 'something_else')])
    expect(await world.caught(world.client.queries.refreshAndWait(id, { joinRunning: true }))).toBeInstanceOf(ConflictError)
  })
})

test('times out, and says that the run is still running', async () => {
  const world = testWorld([run(), ...Array.from({ length: 20 }, () => query('running'))])
  const error = await world.caught(world.client.queries.refreshAndWait(id, { timeoutMs: 3000 }))
  expect(error).toBeInstanceOf(TimeoutError)
  expect(error).toMatchObject({ timeoutMs: 3000, message: expect.stringContaining('still running') as string })
  expect(world.nowMs()).toBe(3000)
  expect(world.sleeping()).toBe(0)
})

test('ends when the caller aborts', async () => {
  const ending = new AbortController()
  const world = testWorld([run(), query('running')])
  const onRun = ({ status }: { status: string }) => (status === 'running' ? ending.abort() : undefined)
  const error = await world.caught(world.client.queries.refreshAndWait(id, { signal: ending.signal, onRun }))
  expect(error).toMatchObject({ name: 'AbortError' })
})

describe('an automation', () => {
  const automationRun = (status: string, more: object = {}) =>
    answer(202, { id: 'agentrun_1', status, summary: null, reason: null, ...more })

  test('is run and waited for', async () => {
    const world = testWorld([automationRun('pending'), automationRun('running'), automationRun('completed', { summary: 'Up.' })])
    const seen: string[] = []
    const onRun = (each: { status: string }) => seen.push(each.status)
    const ended = await world.finish(world.client.automations.runAndWait('automation_1', { onRun }))
    expect(ended).toMatchObject({ status: 'completed', summary: 'Up.' })
    expect(seen).toEqual(['pending', 'running', 'completed'])
    expect(world.sent.map(({ url }) => new URL(url).pathname)).toEqual([
      '/api/automations/automation_1/runs',
      '/api/automation-runs/agentrun_1',
      '/api/automation-runs/agentrun_1',
    ])
  })

  test('that fails or is stopped is an error with its reason', async () => {
    const world = testWorld([automationRun('pending'), automationRun('failed', { reason: 'Stopped by A.' })])
    const error = await world.caught(world.client.automations.runAndWait('automation_1'))
    expect(error).toMatchObject({ name: 'RunFailedError', reason: 'Stopped by A.', run: { id: 'agentrun_1' } })
  })

  test('is waited for no longer than the timeout', async () => {
    const world = testWorld([automationRun('pending'), ...Array.from({ length: 9 }, () => automationRun('running'))])
    const waiting = world.client.automations.runAndWait('automation_1', { timeoutMs: 900 })
    expect(await world.caught(waiting)).toBeInstanceOf(TimeoutError)
  })
})
