import type { CostLimits, CostUsage } from '../../model/cost-limits.ts'
import { describeBytes } from '../../ports/describe-bytes.ts'

export interface ExceededLimit {
  scope: 'query' | 'person' | 'organization'
  estimatedBytes: number
  limitBytes: number
  /** What was counted before; 0 for a limit per query. */
  usedBytes: number
}

/** The first limit that a query with this estimate would exceed. Undefined if it may run. */
export function findExceededLimit(options: {
  limits: CostLimits
  usage: CostUsage
  estimatedBytes: number
}): ExceededLimit | undefined {
  const { limits, usage, estimatedBytes } = options
  const candidates = [
    { scope: 'query', limitBytes: limits.perQueryBytes, usedBytes: 0 },
    { scope: 'person', limitBytes: limits.perPersonDailyBytes, usedBytes: usage.personBytes },
    { scope: 'organization', limitBytes: limits.perOrganizationDailyBytes, usedBytes: usage.organizationBytes },
  ] as const
  for (const { scope, limitBytes, usedBytes } of candidates) {
    if (limitBytes !== null && usedBytes + estimatedBytes > limitBytes) return { scope, estimatedBytes, limitBytes, usedBytes }
  }
  return undefined
}

const names = { query: 'per query', person: 'per person and day', organization: 'of the organization per day' }

/** For people: which limit it is and what to do. */
export function describeExceededLimit({ scope, estimatedBytes, limitBytes, usedBytes }: ExceededLimit): string {
  const limit = `the limit of ${describeBytes(limitBytes)} ${names[scope]}`
  const reads = `This query reads ${describeBytes(estimatedBytes)}`
  const advice = 'Select fewer columns or partitions, or ask an admin to raise the limit.'
  if (scope === 'query') return `${reads}, more than ${limit}. ${advice}`
  return `${reads}, but ${describeBytes(usedBytes)} of ${limit} are used. The count starts over at midnight UTC. ${advice}`
}
