import type { UsedKnowledge } from '../../../api/knowledge.ts'

export const usedLabel: Record<UsedKnowledge['kind'], string> = {
  metric: 'metric',
  verified_query: 'verified query',
  table: 'table',
  instructions: 'instructions',
}

/** As many as fit on a line of a phone. */
const namedMax = 3

/** For example “metric Net revenue, verified query Revenue by week and 4 more”. */
export function describeUsed(used: UsedKnowledge[]): string {
  const named = used.slice(0, namedMax).map(({ kind, name }) => `${usedLabel[kind]} ${name}`)
  const more = used.length - named.length
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ')
}
