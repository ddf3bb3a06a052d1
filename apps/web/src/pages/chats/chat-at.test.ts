import { expect, test } from 'vitest'
import type { Chat } from '../../api/chats.ts'
import { chatAt } from './chat-at.ts'

test('keeps the messages up to a time, and lets nobody ask in the past', () => {
  const messages = ['2026-03-01T08:00:00.000Z', '2026-03-01T08:00:01.000Z'].map((createdAt) => ({ createdAt }))
  const chat = { messages, run: {}, canAsk: true, canEdit: true } as unknown as Chat
  expect(chatAt(chat, '2026-03-01T08:00:00.000Z')).toEqual({ messages: [messages[0]], run: null, canAsk: false, canEdit: false })
})
