import { expect, test } from 'vitest'
import { exampleQuestions } from './example-questions.ts'

test('asks about saved queries according to their charts', () => {
  const references = [
    { title: 'Untitled query', visualizationType: null },
    { title: 'Revenue by week', visualizationType: 'line' },
    { title: 'Refund rate', visualizationType: 'number' },
    { title: 'Top products', visualizationType: null },
    { title: 'One too many', visualizationType: null },
  ] as const
  expect(exampleQuestions([...references], 3)).toEqual([
    'How has “Revenue by week” changed recently?',
    'What is “Refund rate” now?',
    'What stands out in “Top products”?',
  ])
  expect(exampleQuestions([], 3)).toEqual([])
})
