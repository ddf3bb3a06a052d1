import type { KnowledgeProposal, MetricContent, TableDescriptionContent } from '../../model/knowledge.ts'
import { wordsIn } from '../catalog/search-words.ts'
import type { KnowledgeCandidates } from './knowledge-candidates.ts'
import type { DescribedTable } from './table-descriptions.ts'

/** What a proposal is found by and put into. */
export interface ProposalContext {
  asked: string[]
  databases: { id: string; name: string }[]
  /** The table that the proposal describes. Undefined if the proposal is of another kind, or the table is gone. */
  table: DescribedTable | undefined
}

/** The candidates as if the proposal had been saved. */
export function applyProposal(found: KnowledgeCandidates, { content, metricId }: KnowledgeProposal, context: ProposalContext): KnowledgeCandidates {
  switch (content.kind) {
    case 'instructions': {
      const database = context.databases.find(({ id }) => id === content.databaseId) ?? null
      const others = found.instructions.filter((each) => (each.database?.id ?? null) !== content.databaseId)
      const isGone = content.text === '' || (content.databaseId !== null && database === null)
      const proposed = isGone ? [] : [{ database, text: content.text }]
      return { ...found, instructions: content.databaseId === null ? [...proposed, ...others] : [...others, ...proposed] }
    }
    case 'metric':
      return { ...found, metrics: withMetric(found.metrics, { itemId: metricId ?? newMetricId, content }, context.asked) }
    case 'table':
      return { ...found, tables: withTable(found.tables, content, context) }
  }
}

/** Identifies a metric that does not exist yet. */
const newMetricId = 'proposed'

function withMetric(metrics: KnowledgeCandidates['metrics'], proposed: { itemId: string; content: MetricContent }, asked: string[]) {
  const { name, synonyms, description } = proposed.content
  const others = metrics.filter(({ itemId }) => itemId !== proposed.itemId)
  if (matches(asked, [name, ...synonyms])) return [proposed, ...others]
  return matches(asked, [description]) ? [...others, proposed] : others
}

function withTable(tables: DescribedTable[], content: TableDescriptionContent, { asked, table }: ProposalContext): DescribedTable[] {
  if (!table) return tables
  const isIt = ({ databaseId, schema, name }: DescribedTable) =>
    databaseId === content.databaseId && schema === content.schema && name === content.table
  if (tables.some(isIt)) return tables.map((each) => (isIt(each) ? { ...each, own: content } : each))
  const texts = [content.description ?? '', ...Object.values(content.columns)]
  return matches(asked, texts) ? [...tables, { ...table, own: content }] : tables
}

/** Whether a word of the texts begins like one of the question. */
function matches(asked: string[], texts: string[]): boolean {
  const words = texts.flatMap(wordsIn)
  return asked.some((beginning) => words.some((word) => word.startsWith(beginning)))
}
