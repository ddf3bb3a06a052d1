import { expect, test } from 'vitest'
import { describeExplanation } from './describe-change.ts'
import type { ExplainedChange } from './explain-change.ts'

test('says in lines what changed, why, and what contributes most', () => {
  const names = { column: 'revenue', denominator: null }
  const numbers = { before: '10', after: '25', difference: '15' }
  const contributions = ['DE', 'FR', 'IT', 'ES', 'PL', 'NL'].map((country, index) => ({ values: [country], before: '0', after: '0', difference: String(5 - index) }))
  const step = {
    causes: ['sql' as const, 'data' as const],
    from: { runId: 'run_a', at: new Date(0) },
    to: { runId: 'run_b', at: new Date(1000) },
    keyColumns: ['country'],
    keyChoice: 'inferred' as const,
    added: 2,
    removed: 0,
    changed: 4,
    measures: [{ ...names, ...numbers, effects: null, rows: { added: '9', removed: '0', changed: '6' }, breakdowns: [{ columns: ['country'], isKey: true, contributions, rest: { count: 3, difference: '0' } }] }],
  }
  const explained = { sql: { before: 'a', after: 'b' }, parameters: [{ name: 'n', before: 1, after: 2 }], measures: [{ ...names, ...numbers, parts: [{ causes: step.causes, difference: '15' }] }], steps: [step] }
  expect(describeExplanation(explained as unknown as ExplainedChange)).toEqual([
    'The SQL changed.',
    'The parameter n changed from 1 to 2.',
    'revenue: 10 → 25, difference 15',
    '  sql and data, which cannot be separated: 15',
    '  from 1970-01-01T00:00:00.000Z to 1970-01-01T00:00:01.000Z (sql and data, which cannot be separated): 15',
    '    rows added 2: 9; removed 0: 0; changed 4: 6',
    '    by country: "DE" 5; "FR" 4; "IT" 3; "ES" 2; "PL" 1; and 4 more',
  ])
})
