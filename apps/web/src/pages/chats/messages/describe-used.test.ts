import { expect, test } from 'vitest'
import { describeUsed } from './describe-used.ts'

test('names the first items and counts the rest', () => {
  const used = [
    { kind: 'metric', label: 'metric', name: 'Net revenue' },
    { kind: 'verified_query', label: 'verified query', name: 'Revenue by week' },
    { kind: 'instructions', label: 'instructions', name: 'of the organization' },
    { kind: 'table', label: 'table', name: 'main.orders' },
    { kind: 'table', label: 'table', name: 'main.products' },
  ] as const
  expect(describeUsed(used.slice(0, 2))).toBe('metric Net revenue, verified query Revenue by week')
  expect(describeUsed([...used])).toBe('metric Net revenue, verified query Revenue by week, instructions of the organization and 2 more')
})
