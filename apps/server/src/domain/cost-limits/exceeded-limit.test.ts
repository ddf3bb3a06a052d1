import { describe, expect, test } from 'vitest'
import { type CostLimits, noCostLimits } from '../../model/cost-limits.ts'
import { describeExceededLimit, findExceededLimit } from './exceeded-limit.ts'

const usage = { personBytes: 100, organizationBytes: 1000 }
const find = (limits: Partial<CostLimits>, estimatedBytes: number) =>
  findExceededLimit({ limits: { ...noCostLimits, ...limits }, usage, estimatedBytes })

describe('a query', () => {
  test.each<[limits: Partial<CostLimits>, estimatedBytes: number]>([
    [{}, 1e18],
    [{ perQueryBytes: 50 }, 50],
    [{ perQueryBytes: 0 }, 0],
    [{ perPersonDailyBytes: 150 }, 50],
    [{ perOrganizationDailyBytes: 1050 }, 50],
  ])('with %j may read %d bytes', (limits, estimatedBytes) => expect(find(limits, estimatedBytes)).toBeUndefined())

  test.each<[limits: Partial<CostLimits>, estimatedBytes: number, exceeded: object]>([
    [{ perQueryBytes: 50 }, 51, { scope: 'query', limitBytes: 50, usedBytes: 0 }],
    [{ perQueryBytes: 0 }, 1, { scope: 'query', limitBytes: 0 }],
    [{ perPersonDailyBytes: 150 }, 51, { scope: 'person', limitBytes: 150, usedBytes: 100 }],
    // The limit was lowered below what was used.
    [{ perPersonDailyBytes: 10 }, 0, { scope: 'person', limitBytes: 10 }],
    [{ perOrganizationDailyBytes: 1050 }, 51, { scope: 'organization', limitBytes: 1050, usedBytes: 1000 }],
    [{ perPersonDailyBytes: 150, perOrganizationDailyBytes: 1020 }, 30, { scope: 'organization' }],
    [{ perQueryBytes: 20, perPersonDailyBytes: 110, perOrganizationDailyBytes: 1010 }, 30, { scope: 'query' }],
  ])('with %j may not read %d bytes', (limits, estimatedBytes, exceeded) => {
    expect(find(limits, estimatedBytes)).toMatchObject({ ...exceeded, estimatedBytes })
  })
})

test('the message says how much the query reads, and which limit it exceeds', () => {
  expect(describeExceededLimit({ scope: 'query', estimatedBytes: 1.234e9, limitBytes: 1e9, usedBytes: 0 })).toBe(
    'This query reads 1.23 GB, more than the limit of 1 GB per query. ' +
      'Select fewer columns or partitions, or ask an admin to raise the limit.',
  )
  expect(describeExceededLimit({ scope: 'person', estimatedBytes: 5e11, limitBytes: 1e12, usedBytes: 6e11 })).toMatch(
    /^This query reads 500 GB, but 600 GB of the limit of 1 TB per person and day are used\. The count starts over at midnight UTC\. /,
  )
})
