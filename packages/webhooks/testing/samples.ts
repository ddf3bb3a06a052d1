import type { AutomationRunCompletedEvent, AutomationRunFailedEvent } from '../src/listed-events.ts'

/** Secrets of 32 bytes, used only by these tests. */
export const secretA = `whsec_${Buffer.alloc(32, 'a').toString('base64')}`
export const secretB = `whsec_${Buffer.alloc(32, 'b').toString('base64')}`
export const secretC = `whsec_${Buffer.alloc(32, 'c').toString('base64')}`

export const sentAt = new Date('2026-03-01T12:00:00.000Z')

export const completedEvent: AutomationRunCompletedEvent = {
  id: 'evt_completed',
  type: 'automation.run.completed',
  createdAt: '2026-03-01T11:59:59.500Z',
  data: {
    automationId: 'auto_1',
    automationName: 'Weekly orders',
    runId: 'arun_1',
    summary: 'Orders rose by 3 %.',
    chatUrl: 'https://querypost.example.com/chats/abc',
    imageUrl: null,
  },
}

export const failedEvent: AutomationRunFailedEvent = {
  id: 'evt_failed',
  type: 'automation.run.failed',
  createdAt: '2026-03-01T11:59:59.500Z',
  data: {
    automationId: 'auto_1',
    automationName: 'Weekly orders',
    runId: 'arun_2',
    chatUrl: 'https://querypost.example.com/chats/abd',
    reason: 'The query failed: no such table.',
  },
}
