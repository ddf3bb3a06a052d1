import { expect, test } from 'vitest'
import { parseExpression, parsePlaceholder } from './parse-placeholder.ts'
import { writeExpression } from './write-expression.ts'

const rewritten = (text: string) => {
  const { source, expression, style } = parsePlaceholder(text)
  return `${source}: ${writeExpression(expression, style, { mainRunId: source, runIdOf: (name) => name })}`
}

test.each([
  'r1: revenue',
  "r1: revenue where country = 'Germany'",
  "r1: sum(revenue) where country in ('Germany', 'France') and month >= '2025-01-01'",
  'r1: count(*)',
  'r1: count(distinct country) where revenue is not null',
  'r1: rows()',
  "r1: change(revenue where month = '2025-11-01', revenue where month = '2025-12-01') | amount",
  'r1: share(max(revenue), sum(revenue)) | exact',
  'r1: difference(sum(revenue) of r2, sum(revenue))',
  `r1: "Net revenue (€)" where "it's" = 'O''Hara'`,
  'run_abc: first(revenue) where is_member = true and amount < -12.5',
])('%s is written as it was read', (text) => {
  expect(rewritten(text)).toBe(text)
})

test('conditions may be inside of the parentheses, and keywords in upper case', () => {
  expect(rewritten("r1: SUM(revenue WHERE country = 'DE')")).toBe("r1: sum(revenue) where country = 'DE'")
  expect(rewritten("r1: sum(revenue) of r2 where country <> 'DE'")).toBe("r1: sum(revenue) where country != 'DE' of r2")
})

test('a column may have the name of a function', () => {
  expect(parseExpression('count').expression).toMatchObject({ kind: 'value', column: 'count' })
})

test.each([
  ['revenue', 'A placeholder starts with the name of a run and a colon'],
  ['r1: 5', 'numbers are allowed only after "where"'],
  ['r1: revenue * 2', 'Expected the end'],
  ['r1: revenue / 2', 'There is no arithmetic'],
  ['r1: sum(revenue', 'Expected ) at position 16, found the end'],
  ['r1: revenue where country', 'in (…) or is null'],
  ['r1: revenue where country = null', 'use "is null"'],
  ["r1: revenue where country = 'DE' or country = 'FR'", 'instead of "or", use in (…)'],
  ["r1: revenue where country = 'DE", 'The quote at position 29 is not closed'],
  ['r1: share(share(a, b), c)', 'share(…) cannot be nested'],
  ['r1: stddev(revenue)', 'one of the functions first, last, sum'],
  ['r1: revenue | rounded', 'one of the styles about, amount, exact, verb'],
  ['r1: revenue | exact exact', 'Expected the end'],
  ['r1: change(a, 5)', 'numbers are allowed only after "where"'],
])('%s is rejected with a hint: %s', (text, hint) => {
  expect(() => parsePlaceholder(text)).toThrow(hint)
})
