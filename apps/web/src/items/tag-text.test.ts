import { expect, test } from 'vitest'
import { suggestionsFor, tagsIn, tagText, withSuggestion } from './tag-text.ts'

test.each([
  ['', []],
  [' , ,', []],
  ['Finance', ['Finance']],
  ['Finance,  weekly   report ,finance', ['finance', 'weekly report']],
])('reads %j', (text, tags) => {
  expect(tagsIn(text)).toEqual(tags)
})

test('writes tags as they are typed', () => {
  expect(tagsIn(tagText(['Finance', 'weekly report']))).toEqual(['Finance', 'weekly report'])
})

const known = ['Finance', 'Fixed costs', 'Weekly']

test.each([
  ['', ['Finance', 'Fixed costs', 'Weekly']],
  ['fi', ['Finance', 'Fixed costs']],
  ['finance', ['Fixed costs', 'Weekly']],
  ['finance, we', ['Weekly']],
  ['finance, x', []],
])('suggests tags for %j', (text, tags) => {
  expect(suggestionsFor(text, known)).toEqual(tags)
})

test('completes the last tag, or adds one', () => {
  expect(withSuggestion('Weekly, fi', 'Finance')).toBe('Weekly, Finance')
  expect(withSuggestion('Weekly', 'Finance')).toBe('Weekly, Finance')
  expect(withSuggestion('', 'Finance')).toBe('Finance')
})
