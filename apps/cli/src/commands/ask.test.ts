import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  beginOldestAgentRun,
  clearChats,
  hasPendingAgentRun,
  setUpModel,
  startTestService,
  type TestOrganization,
  type TestService,
} from '@querypost/server/testing/suites'
import { pollPause } from '@querypost/server/testing'
import { tryCommand } from '../../testing/command-context.ts'

let service: TestService
let shop: TestOrganization
let url: string
beforeAll(async () => {
  service = await startTestService('postgres', { worker: false })
  shop = await service.addOrganization('shop')
  url = await service.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => service.stop())
beforeEach(async () => {
  await clearChats(service)
  await setUpModel(service, shop)
})

const ask = (args: string[], world: Parameters<typeof tryCommand>[1] = {}) =>
  tryCommand(['ask', ...args], { environment: { QUERYPOST_URL: url, QUERYPOST_API_KEY: shop.admin.apiKey }, ...world })

/** The test acts as the agent. */
async function beginRun() {
  while (!(await hasPendingAgentRun(service))) await pollPause()
  return beginOldestAgentRun(service)
}

const link = 'https://querypost.test/runs/run_1'

/** Answers the next question after one step. */
async function answerNext(): Promise<void> {
  const agent = await beginRun()
  await agent.chat.add({ kind: 'note', text: 'Counting\u001b[2J orders' })
  await agent.end({ status: 'completed', answer: { summary: `**[10](${link})** orders.` } })
}

test('prints the plain answer if the output is not a terminal', async () => {
  const [{ exitCode, stdout, stderr }] = await Promise.all([ask(['How', 'many orders?']), answerNext()])
  expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: '10 orders.\n', stderr: '' })
})

test('shows what the agent does at a terminal, and how to continue', async () => {
  let isStepShown = false
  const onOutput = (output: string) => (isStepShown ||= output.includes('Counting'))
  const asking = ask(['How many orders?'], { isTerminal: true, onOutput })
  const agent = await beginRun()
  await agent.chat.add({ kind: 'note', text: 'Counting\u001b[2J orders' })
  while (!isStepShown) await pollPause()
  await agent.end({ status: 'completed', answer: { summary: 'Ten orders.' } })
  const { exitCode, stdout, stderr } = await asking
  expect([exitCode, stripVTControlCharacters(stdout)]).toEqual([0, 'Ten orders.\n'])
  const shown = stderr.split('\r\u001b[K').map(stripVTControlCharacters)
  expect(shown).toContain('Waiting for an agent')
  expect(shown).toContain('Counting[2J orders')
  expect(shown.at(-1)).toMatch(/^\nhttps:\/\/querypost\.test\/chats\/(\w{10})\nContinue: querypost ask --chat \1 "…"\n$/)
})

test('continues a chat by its permalink, with JSON for programs', async () => {
  const [first] = await Promise.all([ask(['--json', 'How many orders?']), answerNext()])
  const { shortId, permalink, answer, steps } = JSON.parse(first.stdout)
  expect(answer).toMatchObject({ number: 3, kind: 'answer', text: `**[10](${link})** orders.` })
  expect(steps).toMatchObject([{ kind: 'step' }])
  const second = ask(['--json', '--chat', permalink, 'And today?'])
  await (await beginRun()).end({ status: 'completed', answer: { summary: 'Two.' } })
  expect(JSON.parse((await second).stdout)).toMatchObject({ shortId, answer: { number: 5, text: 'Two.' }, steps: [] })
})

test('a failed answer is an error', async () => {
  const asking = ask(['How many orders?'])
  await (await beginRun()).end({ status: 'failed', reason: 'The model gave no answer.' })
  expect(await asking).toEqual({ exitCode: 1, stdout: '', stderr: 'No answer: The model gave no answer.\n' })
})

test('an interrupted command leaves the agent working and says so', async () => {
  const interrupt = new AbortController()
  let isWaiting = false
  const onOutput = (output: string) => (isWaiting ||= output.includes('Waiting'))
  const asking = ask(['How many orders?'], { signal: interrupt.signal, isTerminal: true, onOutput })
  const agent = await beginRun()
  while (!isWaiting) await pollPause()
  interrupt.abort()
  const { exitCode, stdout, stderr } = await asking
  expect([exitCode, stdout]).toEqual([1, ''])
  expect(stderr.split('\r\u001b[K').at(-1)).toMatch(/^The agent goes on answering\. Read the answer at https:\/\/querypost\.test\/chats\/\w{10}\n$/)
  expect(await agent.end({ status: 'completed', answer: { summary: 'Ten.' } })).toBe(true)
})

test('rejects what cannot be asked', async () => {
  expect(await ask([])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Ask a question') })
  expect(await ask(['--chat', 'abcdefghjk', '--database', 'db_1', 'Why?'])).toMatchObject({ exitCode: 2 })
  expect(await ask(['--chat', 'abcdefghjk', 'Why?'])).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no chat') })
  expect(await ask(['--database', 'db_none', 'Why?'])).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no database') })
  await clearChats(service)
  expect(await ask(['Why?'])).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('No model is set up') })
})
