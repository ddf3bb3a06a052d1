import { expect, test } from 'vitest'
import { describeProof } from './describe-proof.ts'

const figures = (...proven: boolean[]) => proven.map((isProven) => ({ isProven }))

test('says how many figures are proven', () => {
  expect(describeProof([])).toBeUndefined()
  expect(describeProof(figures(true))).toEqual({ text: '1 figure, proven', isComplete: true })
  expect(describeProof(figures(true, true, true, true))).toEqual({ text: '4 figures, all proven', isComplete: true })
  expect(describeProof(figures(false))).toEqual({ text: '1 figure not verified', isComplete: false })
  expect(describeProof(figures(false, false))).toEqual({ text: '2 figures not verified', isComplete: false })
  expect(describeProof(figures(true, false, true))).toEqual({ text: '1 of 3 figures not verified', isComplete: false })
})
