import { expect, test } from 'vitest'
import { splitFollowUps } from './follow-ups.ts'

test('separates the questions from the answer', () => {
  expect(splitFollowUps('Ten. \n<questions>\n- Why?\n2. And now?\n</questions>')).toEqual({ text: 'Ten.', followUps: ['Why?', 'And now?'] })
  expect(splitFollowUps(' Ten. ')).toEqual({ text: 'Ten.', followUps: [] })
})

test.each([
  ['keeps the space that ends a word', ' Revenue rose ', 'Revenue rose '],
  ['withholds the beginning of the tag', 'Ten.\n<quest', 'Ten.\n'],
  ['keeps another tag', 'Ten <b', 'Ten <b'],
])('of a text that is still arriving, %s', (_, said, text) => {
  expect(splitFollowUps(said, { isPartial: true })).toEqual({ text, followUps: [] })
})
