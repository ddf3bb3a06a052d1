import { expect, test } from 'vitest'
import { metricSynonyms } from './metric-synonyms.ts'

test('every name of a metric stands for the others, and a name may belong to several metrics', () => {
  const metrics = [
    { name: 'Net revenue', synonyms: ['sales', 'turnover'] },
    { name: 'Gross revenue', synonyms: ['sales'] },
    { name: 'Orders', synonyms: [] },
  ]
  expect(metricSynonyms(metrics)).toEqual({
    'Net revenue': ['sales', 'turnover'],
    'Gross revenue': ['sales'],
    sales: ['Net revenue', 'turnover', 'Gross revenue'],
    turnover: ['Net revenue', 'sales'],
    Orders: [],
  })
})
