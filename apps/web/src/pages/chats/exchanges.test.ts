import { expect, test } from 'vitest'
import type { Message } from '../../api/chats.ts'
import { exchangesIn } from './exchanges.ts'

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

test('keeps everything in order while the agent is working', () => {
  const [working] = exchangesIn([message('instruction', 'run_1'), message('chart', 'run_1'), message('query_run', 'run_1')])
  expect(working).toMatchObject({ answer: undefined, charts: [] })
  expect(kinds(working!.steps)).toEqual(['instruction', 'chart', 'query_run'])
})
