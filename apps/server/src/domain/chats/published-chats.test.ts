import { describe, expect, test } from 'vitest'
import type { AgentRun } from '../../model/agent-run.ts'
import { type ChatEvent, type ChatPosition, eventsIn, type PublishedMessage, withSteps } from './published-chats.ts'

const at = new Date('2026-01-05T09:00:00Z')
const message = (number: number, revision: number): PublishedMessage => ({
  number,
  revision,
  agentRunId: null,
  user: null,
  createdAt: at,
  content: { kind: 'note', text: '' },
})
const working = { endedAt: null } as AgentRun
const ended = { endedAt: at } as AgentRun
const news = (revision: number, run: AgentRun | null, ...messages: PublishedMessage[]) => ({ revision, run, canAsk: false, messages })
const briefly = (events: ChatEvent[]) =>
  events.map((event) => (event.kind === 'message' ? event.message.number : event.isAnswering ? 'answering' : 'idle'))

describe('the events of a chat', () => {
  test('are its messages in the order of their changes, then the status', () => {
    const { events } = eventsIn(news(4, working, message(1, 4), message(2, 2), message(3, 3)), { revision: 0 })
    expect(briefly(events)).toEqual([2, 3, 1, 'answering'])
  })

  test('contain the status only if it has changed', () => {
    expect(briefly(eventsIn(news(2, working, message(2, 2)), { revision: 1, isAnswering: true }).events)).toEqual([2])
    expect(briefly(eventsIn(news(2, null), { revision: 1, isAnswering: true }).events)).toEqual(['idle'])
  })

  test('contain messages newer than the revision once, so that an idle chat has all of them', () => {
    // The run ended after the revision was read, and before its status was.
    const first = eventsIn(news(4, ended, message(2, 4), message(3, 5)), { revision: 3, isAnswering: true })
    expect(briefly(first.events)).toEqual([2, 3, 'idle'])
    const second = eventsIn(news(5, ended, message(3, 5)), first.position)
    expect(second.events).toEqual([])
  })

  test('continue after the position of any event, also among changes with the same revision', () => {
    const all = news(7, ended, message(1, 5), message(2, 7), message(3, 7), message(4, 7))
    const { events } = eventsIn(all, { revision: 4, isAnswering: true })
    const restAfter = (position: ChatPosition) => briefly(eventsIn(all, position).events)
    expect(events.map(({ position }) => restAfter(position))).toEqual([[2, 3, 4, 'idle'], [3, 4, 'idle'], [4, 'idle'], ['idle'], []])
  })
})

test('an answer names the steps that led to it, and no steps of other answers', () => {
  const written = (number: number, agentRunId: string | null, content: PublishedMessage['content']): PublishedMessage =>
    Object.assign(message(number, number), { agentRunId, content })
  const messages = withSteps([
    written(1, null, { kind: 'question', text: 'How many?', follows: null }),
    written(2, 'arun_1', { kind: 'note', text: 'Late.' }),
    written(3, 'arun_1', { kind: 'text', text: 'I look it up.' }),
    written(4, 'arun_1', { kind: 'answer', text: 'Many.' }),
    written(5, null, { kind: 'question', text: 'And now?', follows: 1 }),
    written(6, 'arun_2', { kind: 'failure', reason: 'The model failed.' }),
  ])
  expect(messages.map(({ steps }) => steps)).toEqual([undefined, undefined, undefined, [2, 3], undefined, undefined])
})
