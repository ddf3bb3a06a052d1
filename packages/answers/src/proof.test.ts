import { expect, test } from 'vitest'
import { baseUrl, now, resultsOf } from '../testing/worlds.ts'
import { checkProof, type Proof } from './check-proof.ts'
import { provenText } from './proven-text.ts'
import { publish } from './publish.ts'
import { repairRequest } from './repair-request.ts'

const results = resultsOf('shop')
const answer = (text: string) => publish({ text, question: 'How are we doing?', results, now, baseUrl })

const published = answer(
  "Revenue in Germany was {{r2: revenue_eur where country = 'Germany'}}, {{r2: share(revenue_eur where country = 'Germany', sum(revenue_eur))}} of the total. The first week was {{r1: first(week)}}.",
)
const proof: Proof = {
  text: published.text,
  figures: published.figures.map(({ id, text, value, unit, runId, expression }) => ({ id, text, value: value!, unit: unit!, runId: runId!, expression: expression!, sql: 'select 1', parameters: {}, resultHash: '"abc"' })),
}
const downloads = (change: object = {}) => new Map([...results.values()].map((result) => [result.runId, { ...result, resultHash: 'abc', ...change }]))

test('a proof holds for the results that it was made from', () => {
  expect(checkProof(proof, downloads())).toEqual({
    isProven: true,
    figures: ['f1', 'f2', 'f3'].map((id) => ({ id, isProven: true, problem: null })),
    missingRunIds: [],
  })
})

test.each([
  ['value', '1204332.4', 'The value is 1204332.5, not 1204332.4.'],
  ['unit', '$', 'The unit is "€", not "$".'],
  ['text', '€ 1,204,334', 'It prints as "€ 1,204,333", not as "€ 1,204,334".'],
  ['expression', 'revenue_eur', 'The result has 7 rows'],
  ['expression', 'revenue_eur +', 'Unexpected +'],
])('a changed %s (%s) is found', (field, value, problem) => {
  const [first, ...others] = proof.figures
  const check = checkProof({ ...proof, figures: [{ ...first!, [field]: value }, ...others] }, downloads())
  expect(check.isProven).toBe(false)
  expect(check.figures[0]!.problem).toContain(problem)
  expect(check.figures.slice(1).every(({ isProven }) => isProven)).toBe(true)
})

test('a result with another hash, and a missing one, prove nothing', () => {
  expect(checkProof(proof, downloads({ resultHash: 'W/"other"' })).figures[0]!.problem).toContain('is not the one that the proof names')
  expect(checkProof(proof, new Map())).toMatchObject({ isProven: false, missingRunIds: ['run_countries', 'run_weeks'] })
})

test('the repair request names every place that is not proven, with its reason', () => {
  const request = repairRequest(answer('Revenue was 12 million, and orders were {{r2: order}} in Spain.'))
  expect(request).toContain('- "12 million" in "Revenue was 12 million, and orders')
  expect(request).toContain('- {{r2: order}} in "')
  expect(request).toContain('There is no column order. The columns are country, revenue_eur')
  expect(repairRequest(published)).toBeNull()
})

test('text for webhooks says what is not verified, and keeps the rest', () => {
  const { text, figures } = answer("Revenue was 12 million. Spain had {{r2: orders where country = 'Spain'}} orders, not five.")
  expect(provenText(text, figures)).toBe(`Revenue was \\[not verified\\]. Spain had [4,398](${baseUrl}/runs/run_countries) orders, not \\[not verified\\].`)
  expect(provenText(published.text, published.figures)).toBe(published.text)
})
