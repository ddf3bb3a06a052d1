import { expect, test } from 'vitest'
import type { Message, MessageContent } from '../../../model/chat.ts'
import { pathToNewest } from './exchange-path.ts'

function chat(...contents: MessageContent[]): Message[] {
  const createdAt = new Date('2026-01-05T09:00:00Z')
  return contents.map((content, at) => ({ number: at + 1, revision: at + 1, createdAt, agentRunId: null, user: null, content }))
}
const question = (text: string, follows?: number | null): MessageContent => ({
  kind: 'question',
  text,
  ...(follows !== undefined && { follows }),
})
const answer: MessageContent = { kind: 'answer', text: 'So.' }
const numbersOf = (messages: Message[]) => pathToNewest(messages).map(({ number }) => number)

test('without branches, every message is on the path', () => {
  const instruction: MessageContent = { kind: 'instruction', text: 'Look.' }
  expect(numbersOf(chat(instruction, answer, question('Why?'), answer, question('And?')))).toEqual([1, 2, 3, 4, 5])
})

test('leaves out the exchange that an edited question replaces, and what followed it', () => {
  const messages = chat(question('A', null), answer, question('B', 1), answer, question('C', 3), answer, question('B again', 1))
  expect(numbersOf(messages)).toEqual([1, 2, 7])
  expect(numbersOf([...messages, ...chat(...Array<MessageContent>(7).fill(answer), question('D', 7)).slice(7)])).toEqual([1, 2, 7, 8])
})

test('a question that starts the chat again follows nothing', () => {
  expect(numbersOf(chat(question('A', null), answer, question('Another A', null)))).toEqual([3])
})

test('ends at a question that follows itself or a missing one', () => {
  expect(numbersOf(chat(question('A', null), question('B', 2)))).toEqual([2])
  expect(numbersOf(chat(question('A', null), question('B', 9)))).toEqual([2])
})
