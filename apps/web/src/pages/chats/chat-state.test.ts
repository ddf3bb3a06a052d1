import { describe, expect, test } from 'vitest'
import type { AgentRun } from '../../api/automation-runs.ts'
import { type Chat, type Message, withNews } from '../../api/chats.ts'
import { automationRunIn, isAnswering, isStoppedStep, statusOf } from './chat-state.ts'

const run: AgentRun = {
  id: 'arun_1',
  status: 'running',
  agent: 'digest',
  trigger: 'person',
  requestedAt: '2026-01-01T00:00:00.000Z',
  startedAt: '2026-01-01T00:00:01.000Z',
  endedAt: null,
  reason: null,
  isStopped: false,
}

function message(number: number, revision: number, text: string, kind: 'text' | 'instruction' | 'summary' = 'text'): Message {
  return { number, revision, kind, text, createdAt: run.requestedAt, agentRunId: 'arun_1', user: null }
}

const chat: Chat = {
  shortId: 'abcdefghij',
  title: 'Weekly',
  url: 'https://querypost.test/chats/abcdefghij',
  createdAt: run.requestedAt,
  updatedAt: run.requestedAt,
  revision: 3,
  automation: { id: 'automation_1', name: 'Weekly' },
  run,
  canAsk: false,
  messages: [message(1, 1, 'look', 'instruction'), message(2, 3, 'half')],
}

const ended: AgentRun = { ...run, status: 'completed', endedAt: '2026-01-01T00:00:09.000Z' }

describe('withNews', () => {
  test('updates messages and adds new ones in order', () => {
    const now = withNews(chat, { revision: 6, run: ended, canAsk: true, messages: [message(4, 6, 'd'), message(2, 4, 'whole'), message(3, 5, 'c')] })
    expect(now.messages.map((each) => 'text' in each && each.text)).toEqual(['look', 'whole', 'c', 'd'])
    expect(now).toMatchObject({ revision: 6, run: { status: 'completed' }, canAsk: true, title: 'Weekly' })
  })

  test('ignores outdated revisions', () => {
    const newer = withNews(chat, { revision: 6, run: ended, canAsk: true, messages: [message(2, 6, 'whole')] })
    const now = withNews(newer, { revision: 4, run, canAsk: false, messages: [message(2, 4, 'more'), message(3, 4, 'c')] })
    expect(now.messages.map((each) => 'text' in each && each.text)).toEqual(['look', 'whole', 'c'])
    expect(now).toMatchObject({ revision: 6, run: { status: 'completed' }, canAsk: true })
  })

  test('is idempotent', () => {
    const news = { revision: 4, run: ended, canAsk: true, messages: [message(3, 4, 'c')] }
    const once = withNews(chat, news)
    expect(withNews(once, news)).toEqual(once)
  })

  test('updates the run even if no message changed', () => {
    expect(withNews(chat, { revision: 3, run: ended, canAsk: true, messages: [] }).run).toBe(ended)
  })
})

test('the automation run ends with its summary, not with later answers', () => {
  expect(automationRunIn(chat)).toEqual({ runId: 'arun_1', lastMessage: undefined })
  const summary = message(3, 4, 'All well', 'summary')
  const question: AgentRun = { ...run, id: 'arun_2', trigger: 'question' }
  const later = withNews(chat, { revision: 5, run: question, canAsk: true, messages: [summary, { ...message(4, 5, '…'), agentRunId: 'arun_2' }] })
  expect(automationRunIn(later)).toEqual({ runId: 'arun_1', lastMessage: summary })
  expect(statusOf(chat)?.status).toBe('running')
  expect(statusOf(later)?.status).toBe('completed')
  expect(statusOf({ ...later, run: { ...question, status: 'failed' } })?.status).toBe('completed')
  expect(isAnswering(later)).toBe(true)
  expect(isAnswering(chat)).toBe(false)
  expect(automationRunIn({ ...chat, automation: null })).toBeUndefined()
})

test('a run stopped by a person is not a failure, and neither are the steps it interrupted', () => {
  const stopped: Message = {
    number: 3,
    revision: 4,
    createdAt: run.requestedAt,
    agentRunId: 'arun_1',
    user: null,
    kind: 'failure',
    reason: 'Stopped by Grace.',
    isStopped: true,
  }
  const now = withNews(chat, { revision: 4, run: { ...ended, status: 'failed', isStopped: true }, canAsk: true, messages: [stopped] })
  expect(statusOf(now)).toEqual({ status: 'failed', isStopped: true })
  expect(isStoppedStep({ agentRunId: 'arun_1', failureReason: 'Stopped by Grace.' }, now)).toBe(true)
  expect(isStoppedStep({ agentRunId: 'arun_1', failureReason: 'No such table.' }, now)).toBe(false)
  expect(isStoppedStep({ agentRunId: 'arun_2', failureReason: 'Stopped by Grace.' }, now)).toBe(false)
})
