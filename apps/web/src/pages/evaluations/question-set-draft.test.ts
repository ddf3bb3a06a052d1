import { expect, test } from 'vitest'
import { exampleQuestions, readQuestions, UnreadableQuestions } from './question-set-draft.ts'

test('the example is a list with one question', () => {
  expect(readQuestions(exampleQuestions('db_1'))).toMatchObject([{ databaseId: 'db_1', isOrdered: false }])
})

test.each(['', '{}', '[', '"text"'])('rejects %j', (text) => {
  expect(() => readQuestions(text)).toThrow(UnreadableQuestions)
})
