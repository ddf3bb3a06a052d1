import { expect, test } from 'vitest'
import { readSummaries } from '../testing/read-summaries.ts'
import { baseUrl, now, resultsOf } from '../testing/worlds.ts'
import { publish } from './publish.ts'

const summaries = readSummaries()

test(`at most 2% of ${summaries.length} true answers are struck`, () => {
  const struck = summaries.flatMap(({ name, world, question, text }) => {
    const unproven = publish({ text, question, results: resultsOf(world), now, baseUrl }).figures.filter(({ isProven }) => !isProven)
    return unproven.length > 0 ? [{ name, unproven: unproven.map(({ text: shown, reason }) => `${shown}: ${reason}`) }] : []
  })
  expect(summaries.length).toBeGreaterThanOrEqual(300)
  expect(struck.length / summaries.length, JSON.stringify(struck, null, 2)).toBeLessThanOrEqual(0.02)
})
