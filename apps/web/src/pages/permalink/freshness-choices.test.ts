import { expect, test } from 'vitest'
import { freshnessChoices } from './freshness-choices.ts'

test('offers the current limit, whatever it is', () => {
  expect(freshnessChoices(900).filter(({ seconds }) => seconds === 900)).toEqual([{ seconds: 900, label: '15 minutes' }])
  expect(freshnessChoices(null)[0]).toEqual({ seconds: null, label: 'As long as they are stored' })
  expect(freshnessChoices(90).at(-1)).toEqual({ seconds: 90, label: '90 seconds' })
})
