import type { ModelMessage } from 'ai'
import { expect, test } from 'vitest'
import { fitHistory } from './fit-history.ts'

const answer = (id: string, value: string): ModelMessage => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: id, toolName: 't', output: { type: 'text', value } }],
})
const valueOf = (message: ModelMessage) => (message.content[0] as { output: { value: string } }).output.value

test('drops the oldest tool answers to make room for the newest', () => {
  const question: ModelMessage = { role: 'user', content: 'q'.repeat(2000) }
  const messages = [question, answer('a', 'a'.repeat(4000)), answer('b', 'b'.repeat(4000)), answer('c', 'c'.repeat(4000))]
  expect(fitHistory(messages, 20_000)).toEqual(messages)
  const fitted = fitHistory(messages, 11_000)
  expect(fitted[0]).toEqual(question)
  expect(valueOf(fitted[1]!)).toMatch(/^Omitted/)
  expect(fitted.slice(2)).toEqual(messages.slice(2))
  expect(fitHistory(messages, 100).slice(1).map(valueOf)).toEqual(Array.from({ length: 3 }, () => valueOf(fitted[1]!)))
  expect(fitHistory(messages, 100)[0]).toEqual(question)
  expect(valueOf(messages[1]!)).toHaveLength(4000)
})
