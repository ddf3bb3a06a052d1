import { expect, test } from 'vitest'
import type { Metric } from '../../api/knowledge.ts'
import { givenMetric, metricDraft } from './metric-draft.ts'

const metric: Metric = {
  id: 'knowledge_1',
  name: 'Net revenue',
  unit: '€',
  description: 'Without VAT',
  synonyms: ['turnover', 'sales'],
  definition: { kind: 'sql', databaseId: 'db_1', sql: 'sum(amount)' },
  ownerId: 'user_1',
  version: 3,
  changedBy: { id: 'user_1', name: 'Ada' },
  changedAt: '2026-01-05T09:00:00.000Z',
}

test('sends a metric back as it was read if nothing is edited', () => {
  const { id: _id, version: _version, changedBy: _by, changedAt: _at, ...given } = metric
  expect(givenMetric(metricDraft(metric))).toEqual(given)
  const saved = { kind: 'reference', shortId: 'abcdefghjk' } as const
  expect(givenMetric(metricDraft({ ...metric, definition: saved })).definition).toEqual(saved)
})

test('starts empty', () => {
  expect(givenMetric(metricDraft(undefined))).toEqual({
    name: '',
    unit: null,
    description: '',
    synonyms: [],
    definition: { kind: 'sql', databaseId: '', sql: '' },
    ownerId: null,
  })
})

test('splits other names at commas and takes the short id from a link', () => {
  const draft = { ...metricDraft(undefined), synonyms: ' a, b c,, ', kind: 'reference' } as const
  expect(givenMetric(draft).synonyms).toEqual(['a', 'b c'])
  for (const shortId of ['abcdefghjk', ' abcdefghjk ', '/q/abcdefghjk', 'https://querypost.test/q/abcdefghjk?from=2025']) {
    expect(givenMetric({ ...draft, shortId }).definition).toEqual({ kind: 'reference', shortId: 'abcdefghjk' })
  }
})
