import { expect, test } from 'vitest'
import { tellLie } from '../testing/liar/tell-lie.ts'

const answers = 10_000

test(`none of the lies in ${answers.toLocaleString('en-US')} answers is published unmarked`, () => {
  const kinds = new Set<string>()
  const published: { seed: number; line: string; shown: string }[] = []
  let honest = 0
  for (let seed = 0; seed < answers; seed++) {
    const { lie, isPublished, shown, isHonestProven } = tellLie(seed)
    kinds.add(lie.kind)
    if (isHonestProven) honest++
    if (isPublished) published.push({ seed, line: lie.line, shown })
  }
  expect(published).toEqual([])
  expect(kinds.size).toBeGreaterThan(25)
  // The true sentences beside the lies are published, so the judge does not just strike everything.
  expect(honest / answers).toBeGreaterThan(0.99)
})
