import { expect, test } from 'vitest'
import type { AgentRun } from '../../api/automation-runs.ts'
import { withNews } from '../../api/chat-changes.ts'
import type { Chat, Message } from '../../api/chats.ts'
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
  const common = { number, revision, text, createdAt: run.requestedAt, agentRunId: 'arun_1', user: null }
  return kind === 'instruction' ? { ...common, kind } : { ...common, kind, figures: [], followUps: [], feedback: null }
}

const chat: Chat = {
  shortId: 'abcdefghij',
  title: 'Weekly',
  url: 'https://querypost.test/chats/abcdefghij',
  createdAt: run.requestedAt,
  updatedAt: run.requestedAt,
  revision: 3,
  automation: { id: 'automation_1', name: 'Weekly' },
  startedBy: null,
  run,
  canAsk: false,
  canEdit: true,
  leaf: 1,
  branches: [],
  hasEarlier: false,
  messages: [message(1, 1, 'look', 'instruction'), message(2, 3, 'half')],
}

const ended: AgentRun = { ...run, status: 'completed', endedAt: '2026-01-01T00:00:09.000Z' }

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
