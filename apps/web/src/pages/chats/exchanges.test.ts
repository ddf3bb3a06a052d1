import { describe, expect, test } from 'vitest'
import type { Message, QuestionMessage } from '../../api/chats.ts'
import { branchOf, type Exchange, exchangesIn, mainRunOf, tableOf } from './exchanges.ts'

let number = 0
const message = (kind: Message['kind'], agentRunId: string | null): Message =>
  ({ number: ++number, revision: number, kind, agentRunId, createdAt: '2026-01-01T00:00:00.000Z', user: null, text: kind }) as Message
const kinds = (messages: Message[]) => messages.map(({ kind }) => kind)

test('puts the answer and its charts before the steps, for each run', () => {
  const [report, answered, ...others] = exchangesIn([
    message('instruction', 'run_1'),
    message('query_run', 'run_1'),
    message('chart', 'run_1'),
    message('summary', 'run_1'),
    message('question', null),
    message('text', 'run_2'),
    message('tool_call', 'run_2'),
    message('answer', 'run_2'),
  ])
  expect(others).toEqual([])
  expect(report).toMatchObject({ agentRunId: 'run_1', question: undefined, answer: { kind: 'summary' }, charts: [{ kind: 'chart' }] })
  expect(kinds(report!.steps)).toEqual(['instruction', 'query_run'])
  expect(answered).toMatchObject({ agentRunId: 'run_2', question: { kind: 'question' }, answer: { kind: 'answer' }, charts: [] })
  expect(kinds(answered!.steps)).toEqual(['text', 'tool_call'])
})

test('keeps the knowledge that the agent was given last apart from the steps', () => {
  const [started] = exchangesIn([
    message('question', null),
    message('knowledge', 'run_1'),
    message('note', 'run_1'),
    message('knowledge', 'run_1'),
    message('answer', 'run_1'),
  ])
  expect(started!.knowledge!.number).toBe(number - 1)
  expect(kinds(started!.steps)).toEqual(['note'])
})

test('keeps everything in order while the agent is working', () => {
  const [working] = exchangesIn([message('instruction', 'run_1'), message('chart', 'run_1'), message('query_run', 'run_1')])
  expect(working).toMatchObject({ answer: undefined, charts: [] })
  expect(kinds(working!.steps)).toEqual(['instruction', 'chart', 'query_run'])
})

test('the text at the end is what the agent is writing; a step after it makes it a step', () => {
  const messages = [message('question', null), message('text', 'run_1')]
  expect(exchangesIn(messages)[0]).toMatchObject({ draft: { kind: 'text' }, steps: [] })
  const [later] = exchangesIn([...messages, message('tool_call', 'run_1')])
  expect(later!.draft).toBeUndefined()
  expect(kinds(later!.steps)).toEqual(['text', 'tool_call'])
})

test('finds the other questions asked in the place of one', () => {
  const question = (asked: number) => ({ number: asked }) as QuestionMessage
  const chat = { branches: [{ follows: null, questions: [1, 7, 9] }, { follows: 7, questions: [8, 11] }] }
  expect(branchOf(question(7), chat)).toEqual({ questions: [1, 7, 9], at: 1 })
  expect(branchOf(question(8), chat)).toEqual({ questions: [8, 11], at: 0 })
  expect(branchOf(question(12), chat)).toBeUndefined()
})

describe('the main run of an answer', () => {
  const run = (runId: string | null, changes: object = {}) =>
    ({ ...message('query_run', 'arun_1'), runId, status: 'completed', rowCount: 3, preview: { fields: [], rows: [] }, ...changes }) as Message
  const exchange = (steps: Message[], figureRuns: string[] = [], charts: Message[] = []) =>
    ({
      steps,
      charts,
      answer: { ...message('answer', 'arun_1'), figures: figureRuns.map((runId) => ({ runId })) },
    }) as unknown as Exchange

  test('is the one that most figures come from, or else the last one that completed', () => {
    const steps = [run('run_1'), run('run_2'), run('run_3', { status: 'failed' }), run(null)]
    expect(mainRunOf(exchange(steps, ['run_1', 'run_1', 'run_2']))?.runId).toBe('run_1')
    expect(mainRunOf(exchange(steps, ['run_1', 'run_2']))?.runId).toBe('run_2')
    expect(mainRunOf(exchange(steps))?.runId).toBe('run_2')
    expect(mainRunOf(exchange([message('tool_call', 'arun_1')]))).toBeUndefined()
  })

  test('is shown as a table if it has several rows and no chart draws it', () => {
    expect(tableOf(exchange([run('run_1')]))?.runId).toBe('run_1')
    expect(tableOf(exchange([run('run_1', { rowCount: 1 })]))).toBeUndefined()
    expect(tableOf(exchange([run('run_1')], [], [message('chart', 'arun_1')]))).toBeUndefined()
    expect(tableOf({ ...exchange([run('run_1')]), answer: undefined })).toBeUndefined()
  })
})
