import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAgentFetch, startTestService, type TestOrganization, type TestService } from '@querypost/server/testing/suites'
import { type ModelServer, pollPause, startModelServer } from '@querypost/server/testing'
import type { Context } from '../command.ts'
import { tryCommand } from '../../testing/command-context.ts'

const agentFetch = openAgentFetch()
let service: TestService
let shop: TestOrganization
let model: ModelServer
let url: string
/** What the model answers to every question. */
let answer = 10

beforeAll(async () => {
  service = await startTestService('postgres', { agentFetch: agentFetch.fetch })
  shop = await service.addOrganization('shop')
  url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  model = await startModelServer({
    always: ({ body }) =>
      body.messages.at(-1).role === 'tool'
        ? { text: 'Done.' }
        : { toolCalls: [{ name: 'run_sql', input: { databaseId: shop.databaseId, sql: `select ${answer}` } }] },
  })
  await shop.admin.page('PUT', '/app/api/model-settings', { provider: 'openai_compatible', baseUrl: model.url, model: 'scripted' })
  const question = { databaseId: shop.databaseId, expectedRows: null, isOrdered: false, tolerance: 0 }
  const questions = [
    { ...question, text: 'How many numbers are there?', expectedSql: 'select count(*) from numbers' },
    { ...question, text: 'How many are odd?', expectedSql: 'select 5' },
  ]
  await shop.admin.page('POST', '/app/api/question-sets', { name: 'Numbers', questions })
})
afterAll(async () => {
  await service.stop()
  await model.close()
  await agentFetch.close()
})

/** Waits between polls end once the service had a turn; longer ones guard against silence and never end. */
const clock: Context['clock'] = {
  now: () => service.clock.now(),
  monotonicMs: () => 0,
  machineMs: () => service.clock.machineMs(),
  sleep: (ms, signal) =>
    ms < 20_000
      ? pollPause()
      : new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true })),
}
const command = (...args: string[]) =>
  tryCommand(['eval', ...args], { environment: { QUERYPOST_URL: url, QUERYPOST_API_KEY: shop.admin.apiKey }, clock })

test('run shows which answers are wrong and the score', async () => {
  const { exitCode, stdout, stderr } = await command('run', 'numbers')
  expect(exitCode, stderr).toBe(0)
  expect(stdout).toContain('How many are odd?')
  expect(stdout).toContain('Expected [5].')
  expect(stdout).not.toContain('How many numbers are there?')
  expect(stdout).toMatch(/\n1 of 2 correct \(50%\)\n$/)
  expect(stderr).toContain('/evaluations/evaluation_')
})

test('run fails below --min-score, and prints the evaluation with --json', async () => {
  await service.clock.advance(1)
  answer = 5
  const { exitCode, stdout, stderr } = await command('run', 'Numbers', '--min-score', '0.6', '--label', 'Second', '--json')
  expect(exitCode).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({ score: 0.5, label: 'Second', trigger: 'api', counts: { correct: 1, wrong: 1 } })
  expect(stderr).toBe('The score is below 60%.\n')
})

test('list shows each set with its latest score', async () => {
  const { exitCode, stdout } = await command('list')
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/Numbers +2 +1 of 2 correct \(50%\) +scripted +evaluation_/)
  expect(JSON.parse((await command('list', '--json')).stdout).items).toMatchObject([{ name: 'Numbers', questionCount: 2 }])
})

test('compare shows what changed, and fails if a question regressed', async () => {
  const { exitCode, stdout } = await command('compare', 'Numbers')
  expect(exitCode).toBe(1)
  expect(stdout).toMatch(/regressed +How many numbers are there\? +correct +wrong/)
  expect(stdout).toMatch(/improved +How many are odd\? +wrong +correct/)
  expect(stdout).toContain('before  scripted: 1 of 2 correct (50%)')
  const { items } = JSON.parse((await command('list', '--json')).stdout)
  const { id } = items[0].latestEvaluation
  expect(await command('compare', id, id)).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^No question changed\.\n/) })
})

test.each([
  [['run'], 2, /Name one question set/],
  [['run', 'Numbers', '--min-score', '80'], 2, /not a share from 0 to 1/],
  [['run', 'Number'], 1, /Did you mean "Numbers"\?/],
  [['list', 'more'], 2, /one argument too many/],
  [['compare'], 2, /Name a question set, or two evaluations/],
  [['compare', 'evaluation_1', 'evaluation_2'], 1, /There is no evaluation "evaluation_1"/],
] as const)('%j exits with %d', async (args, exitCode, message) => {
  const outcome = await command(...args)
  expect(outcome).toMatchObject({ exitCode, stderr: expect.stringMatching(message) })
})
