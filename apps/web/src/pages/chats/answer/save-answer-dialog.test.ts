import { expect, test } from 'vitest'
import { titleOf } from './save-answer-dialog.tsx'

test('suggests the first line of the question as the title', () => {
  expect(titleOf(' Which products sold best?\nBe brief.')).toBe('Which products sold best')
  expect(titleOf(`${'x'.repeat(100)}?`)).toBe(`${'x'.repeat(79)}…`)
})
