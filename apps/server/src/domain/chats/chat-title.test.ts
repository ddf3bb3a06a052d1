import { expect, test } from 'vitest'
import { titleOfQuestion } from './chat-title.ts'

test('the title of a chat is its question on one line', () => {
  expect(titleOfQuestion('  Why did revenue\n\tfall in May? ')).toBe('Why did revenue fall in May?')
})

test('the title of a long question ends at a word', () => {
  const title = titleOfQuestion('Which customers bought in every month of the last year, and how much did each of them spend per order?')
  expect(title).toBe('Which customers bought in every month of the last year, and how much did each…')
})

test('a title can always be stored', () => {
  expect(titleOfQuestion('a\0b\ud800c')).toBe('a b\ufffdc')
})
