import type { Caller } from '../../model/caller.ts'
import type { DailyModelUse, ModelUse, ModelUseGroup, SpentAmount } from '../../model/model-budget.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import { readSpent } from '../../store/model-budgets/read-spent.ts'
import { readUsage, type UsageRow } from '../../store/model-budgets/read-usage.ts'

export const usageDaysMax = 90
export const usageDaysDefault = 30
/** People, automations and models that are listed; those with the most tokens. */
export const usageGroupsMax = 100

export interface ModelUsageReport {
  /** YYYY-MM-DD, UTC. */
  from: string
  days: number
  total: ModelUseGroup
  /** For members, only themselves. */
  people: (ModelUseGroup & { id: string; name: string })[]
  /** `id` is null for chats and evaluations, which are counted together. */
  sources: (ModelUseGroup & { kind: 'automation' | 'chats' | 'evaluations'; id: string | null; name: string })[]
  models: (ModelUseGroup & { model: string })[]
  /** What has been used of each limit's period, for the organization and for the caller. Empty without limits. */
  spent: SpentAmount[]
}

const dayMs = 24 * 3600_000

/** What the model has used in the last days including today. Admins see everyone's use, members their own. */
export async function getModelUsage(
  deps: { db: Db; clock: Clock },
  caller: Caller,
  { days = usageDaysDefault }: { days?: number },
): Promise<ModelUsageReport> {
  const { organizationId, userId } = caller
  const from = new Date(deps.clock.now().getTime() - (days - 1) * dayMs).toISOString().slice(0, 10)
  const rows = await readUsage(deps.db, { organizationId, from, ...(caller.role !== 'admin' && { userId }) })
  const budget = await readSpent(deps.db, { organizationId, userId })
  const spent = (budget?.spent ?? []).filter(({ scope }) => scope === 'person' || caller.role === 'admin')
  return {
    from,
    days,
    total: sumUp(rows.filter(({ grouping }) => grouping === 'all')),
    people: groups(rows, 'person', ({ userId: id, userName }) => ({ id: id!, name: userName! })),
    sources: groups(rows, 'source', nameSource),
    models: groups(rows, 'model', ({ model }) => ({ model: model! })),
    spent,
  }
}

function nameSource({ source, automationName }: UsageRow): Pick<ModelUsageReport['sources'][number], 'kind' | 'id' | 'name'> {
  if (source === 'chats') return { kind: 'chats', id: null, name: 'Chats' }
  if (source === 'evaluations') return { kind: 'evaluations', id: null, name: 'Evaluations' }
  return { kind: 'automation', id: source!, name: automationName ?? 'Deleted automation' }
}

/** One group per person, cause or model, the one with the most tokens first. */
function groups<Name extends object>(
  rows: UsageRow[],
  grouping: UsageRow['grouping'],
  nameOf: (row: UsageRow) => Name,
): (Name & ModelUseGroup)[] {
  const grouped = Map.groupBy(
    rows.filter((row) => row.grouping === grouping),
    (row) => row.userId ?? row.source ?? row.model,
  )
  return Array.from(grouped.values(), (of) => ({ ...nameOf(of[0]!), ...sumUp(of) }))
    .toSorted((a, b) => tokensOf(b) - tokensOf(a))
    .slice(0, usageGroupsMax)
}

const tokensOf = ({ inputTokens, outputTokens }: ModelUse) => inputTokens + outputTokens

function sumUp(rows: DailyModelUse[]): ModelUseGroup {
  const sum = (count: (row: DailyModelUse) => number) => rows.reduce((total, row) => total + count(row), 0)
  return {
    inputTokens: sum((row) => row.inputTokens),
    outputTokens: sum((row) => row.outputTokens),
    requestCount: sum((row) => row.requestCount),
    cost: rows.some(({ cost }) => cost !== null) ? sum(({ cost }) => cost ?? 0) : null,
    days: rows.map(({ day, inputTokens, outputTokens, requestCount, cost }) => ({ day, inputTokens, outputTokens, requestCount, cost })),
  }
}
