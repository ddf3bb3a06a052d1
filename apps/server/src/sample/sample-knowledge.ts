import { metricWords } from '../domain/knowledge/change-knowledge.ts'
import { tableSubject } from '../domain/knowledge/table-descriptions.ts'
import { newId, newOrderedId } from '../domain/ids.ts'
import type { Caller } from '../model/caller.ts'
import type { KnowledgeContent } from '../model/knowledge.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Tx } from '../store/db.ts'
import { insertKnowledgeVersion } from '../store/knowledge/knowledge-items.ts'

export interface SeededReference {
  id: string
  shortId: string
  queryId: string
}

const verifiedTitle = 'Revenue by week'

/** Agents adapt the SQL to the period and the groups that a question asks for. */
export const sampleMetrics = [
  {
    name: 'Net revenue',
    unit: '€',
    description: 'What customers paid for orders that were neither canceled nor refunded.',
    synonyms: ['revenue', 'sales', 'turnover'],
    sql: `select sum(amount) filter (where status not in ('canceled', 'refunded')) as net_revenue from orders`,
  },
  {
    name: 'Refund rate',
    unit: '%',
    description: 'Share of orders that were canceled or refunded.',
    synonyms: ['return rate', 'cancellation rate'],
    sql: `select 100.0 * count(*) filter (where status in ('canceled', 'refunded')) / count(*) as refund_rate from orders`,
  },
]

const databaseInstructions = `- The shop has orders of the last two years. New orders are added every day, so that they always end today.
- For days, use \`ordered_on\`; \`ordered_at\` is in UTC.`

const descriptions = [
  {
    table: 'orders',
    description: 'One row per order of one product. Canceled and refunded orders are included: exclude them for revenue.',
    columns: { status: 'completed and processing count as sold; canceled and refunded do not.' },
  },
  { table: 'customers', description: 'One row per customer. Nobody in it is a real person or company.', columns: {} },
  { table: 'products', description: 'One row per product that the shop sells or has sold.', columns: {} },
]

/** Writes what agents know about the sample shop: two metrics, descriptions, instructions and one verified query. */
export async function seedKnowledge(
  deps: { tx: Tx; clock: Clock; random: Random },
  { organizationId, userId }: Caller,
  { databaseId, references }: { databaseId: string; references: ReadonlyMap<string, SeededReference> },
): Promise<void> {
  const { id: referenceId, shortId, queryId } = references.get(verifiedTitle)!
  const add = (content: KnowledgeContent, subject: string, itemId = newId(deps.random, 'knowledge')) =>
    insertKnowledgeVersion(deps.tx, {
      id: newOrderedId(deps, 'version'),
      itemId,
      organizationId,
      kind: content.kind,
      subject,
      number: 1,
      content,
      words: content.kind === 'metric' ? metricWords(organizationId, content) : null,
      restoredNumber: null,
      changedBy: userId,
      changedAt: deps.clock.now(),
    })
  await add({ kind: 'instructions', databaseId, text: databaseInstructions }, databaseId)
  for (const { sql, ...metric } of sampleMetrics) {
    const itemId = newId(deps.random, 'knowledge')
    await add({ kind: 'metric', ...metric, definition: { kind: 'sql', databaseId, sql }, ownerId: userId }, itemId, itemId)
  }
  for (const described of descriptions) {
    const content = { kind: 'table', databaseId, schema: 'main', ...described } as const
    await add(content, tableSubject(content))
  }
  await add({ kind: 'verified_query', shortId, title: verifiedTitle, queryId }, referenceId)
}
