import { expect, test } from 'vitest'
import type { Message } from '../../../api/chats.ts'
import { proposedLine } from './proposed-line.ts'

const common = { createdAt: '2026-01-05T09:00:00.000Z', revision: 1, agentRunId: null, user: null }
const question = (number: number, text: string, follows: number | null): Message => ({ ...common, kind: 'question', number, text, follows })
const answer = (number: number, remark: string | null = null) => ({
  number,
  feedback: remark === null ? null : { isHelpful: false, remark },
})
const messages = [question(1, 'Revenue last week?', null), question(3, 'No, without VAT. ', 1), question(5, 'By country?', 3)]

test('takes the remark on the answer first', () => {
  expect(proposedLine({ messages }, answer(2, 'Revenue is without VAT.'))).toBe('Revenue is without VAT.')
})

test('takes the question that was asked after the answer', () => {
  expect(proposedLine({ messages }, answer(2))).toBe('No, without VAT.')
})

test('takes the question itself if it is a follow-up and nothing was asked after it', () => {
  expect(proposedLine({ messages }, answer(6))).toBe('By country?')
  expect(proposedLine({ messages: messages.slice(0, 2) }, answer(4))).toBe('No, without VAT.')
})

test('proposes nothing for a single question', () => {
  expect(proposedLine({ messages: messages.slice(0, 1) }, answer(2))).toBe('')
  expect(proposedLine({ messages: [] }, answer(2))).toBe('')
})
