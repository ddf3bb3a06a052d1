import { describe, expect, test } from 'vitest'
import { needsReload, reloadedChat, withEarlier, withKnownMessages, withMessage, withNews } from './chat-changes.ts'
import type { AgentRun } from './automation-runs.ts'
import type { Chat, Message } from './chats.ts'

const at = '2026-01-01T00:00:00.000Z'
const run: AgentRun = {
  id: 'arun_1',
  status: 'running',
  agent: 'model',
  trigger: 'question',
  requestedAt: at,
  startedAt: at,
  endedAt: null,
  reason: null,
  isStopped: false,
}
const ended: AgentRun = { ...run, status: 'completed', endedAt: at }

function message(number: number, revision: number, text: string): Message {
  const common = { number, revision, text, createdAt: at, agentRunId: 'arun_1', user: null }
  return { ...common, kind: 'text', figures: [], followUps: [], feedback: null }
}
function question(number: number, revision: number, follows: number | null): Message {
  const user = { id: 'user_1', name: 'Ada' }
  return { number, revision, kind: 'question', text: `question ${number}`, follows, createdAt: at, agentRunId: null, user }
}

const chat: Chat = {
  shortId: 'abcdefghij',
  title: 'question 1',
  url: 'https://querypost.test/chats/abcdefghij',
  createdAt: at,
  updatedAt: at,
  revision: 3,
  automation: null,
  startedBy: { id: 'user_1', name: 'Ada' },
  run,
  canAsk: false,
  canEdit: true,
  leaf: 1,
  branches: [],
  hasEarlier: false,
  messages: [question(1, 1, null), message(2, 3, 'half')],
}
const texts = ({ messages }: Chat) => messages.map((each) => 'text' in each && each.text)

describe('withNews', () => {
  test('updates messages and adds new ones in order', () => {
    const now = withNews(chat, { revision: 6, run: ended, canAsk: true, messages: [message(4, 6, 'd'), message(2, 4, 'whole'), message(3, 5, 'c')] })
    expect(texts(now)).toEqual(['question 1', 'whole', 'c', 'd'])
    expect(now).toMatchObject({ revision: 6, run: { status: 'completed' }, canAsk: true, title: 'question 1', leaf: 1 })
  })

  test('ignores outdated revisions', () => {
    const newer = withNews(chat, { revision: 6, run: ended, canAsk: true, messages: [message(2, 6, 'whole')] })
    const now = withNews(newer, { revision: 4, run, canAsk: false, messages: [message(2, 4, 'more'), message(3, 4, 'c')] })
    expect(texts(now)).toEqual(['question 1', 'whole', 'c'])
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

  test('continues the path with a question', () => {
    expect(withNews(chat, { revision: 4, run, canAsk: false, messages: [question(3, 4, 1)] }).leaf).toBe(3)
  })
})

describe('needsReload', () => {
  const news = (...messages: Message[]) => ({ revision: 5, run, canAsk: false, messages })

  test('is false for what continues the path to the newest question', () => {
    expect(needsReload(chat, news(message(2, 4, 'whole'), message(3, 5, 'c')), false)).toBe(false)
    expect(needsReload(chat, news(question(3, 5, 1), message(4, 5, 'd')), false)).toBe(false)
  })

  test('is true for a question on another branch', () => {
    expect(needsReload(chat, news(question(3, 5, null)), false)).toBe(true)
  })

  test('is true for anything new if the path was chosen, and false for changes of what is shown', () => {
    expect(needsReload(chat, news(message(3, 5, 'c')), true)).toBe(true)
    expect(needsReload(chat, news(message(2, 5, 'whole')), true)).toBe(false)
    expect(texts(withKnownMessages(chat, news(message(2, 5, 'whole'), message(3, 5, 'c'))))).toEqual(['question 1', 'whole'])
  })
})

test('withKnownMessages counts a question of another branch among the versions of the one that is shown', () => {
  const elsewhere = (...messages: Message[]) => ({ revision: 9, run, canAsk: false, messages })
  const twice = withKnownMessages(chat, elsewhere(question(3, 4, null), message(4, 5, 'd')))
  expect(twice.branches).toEqual([{ follows: null, questions: [1, 3] }])
  expect(texts(twice)).toEqual(['question 1', 'half'])
  const again = withKnownMessages(twice, elsewhere(question(3, 4, null), question(5, 6, null)))
  expect(again.branches).toEqual([{ follows: null, questions: [1, 3, 5] }])
  expect(withKnownMessages(chat, elsewhere(question(1, 4, null), question(3, 5, 1))).branches).toEqual([])
})

describe('reloadedChat', () => {
  const later: Chat = { ...chat, leaf: 5, hasEarlier: true, messages: [question(5, 2, 1), message(6, 3, 'f')] }

  test('keeps earlier exchanges of the same path', () => {
    const branches = [{ follows: null, questions: [1, 3] }]
    const known = withEarlier(later, { messages: chat.messages, branches, hasEarlier: false })
    expect(texts(known)).toEqual(['question 1', 'half', 'question 5', 'f'])
    const reloaded = reloadedChat(known, { ...later, revision: 4 })
    expect(texts(reloaded)).toEqual(['question 1', 'half', 'question 5', 'f'])
    expect(reloaded).toMatchObject({ hasEarlier: false, revision: 4, branches })
    const newer = [{ follows: 1, questions: [5, 7] }]
    expect(reloadedChat(known, { ...later, branches: newer }).branches).toEqual([...branches, ...newer])
  })

  test('drops what belongs to another branch', () => {
    const reloaded = reloadedChat(chat, { ...chat, revision: 4, leaf: 5, messages: [question(5, 4, null)] })
    expect(texts(reloaded)).toEqual(['question 5'])
    expect(reloaded.leaf).toBe(5)
  })

  test('keeps what the event stream delivered while the request was running', () => {
    const known = withNews(chat, { revision: 5, run: ended, canAsk: true, messages: [message(2, 4, 'whole'), message(3, 5, 'c')] })
    expect(reloadedChat(known, chat)).toEqual(known)
  })
})

test('withMessage changes one message', () => {
  expect(texts(withMessage(chat, 2, (each) => ({ ...each, text: 'other' }) as Message))).toEqual(['question 1', 'other'])
})
