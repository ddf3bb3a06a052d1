import { describe, expect, test } from 'vitest'
import type { KnowledgeProposal, MetricContent, TableDescriptionContent } from '../../model/knowledge.ts'
import { askedWords } from '../catalog/search-words.ts'
import { applyProposal } from './apply-proposal.ts'
import type { KnowledgeCandidates } from './knowledge-candidates.ts'
import type { DescribedTable } from './table-descriptions.ts'

const metric = (changes: Partial<MetricContent> = {}): MetricContent => ({
  kind: 'metric', name: 'Net revenue', description: '', unit: null, synonyms: [], ownerId: null,
  definition: { kind: 'sql', databaseId: 'db_1', sql: 'sum(amount)' }, ...changes,
})
const described: TableDescriptionContent = {
  kind: 'table', databaseId: 'db_1', schema: 'public', table: 'orders', description: 'One row per purchase', columns: {},
}
const orders: DescribedTable = {
  databaseId: 'db_1', databaseName: 'Shop', schema: 'public', name: 'orders', kind: 'table', rowEstimate: null, comment: null, columns: [],
  columnCount: 0, own: null, dbt: null, version: 0,
}
const nothing: KnowledgeCandidates = { instructions: [], metrics: [], dbtMetrics: [], verifiedQueries: [], tables: [] }
const databases = [{ id: 'db_1', name: 'Shop' }]

const apply = (proposal: KnowledgeProposal, question: string, found: Partial<KnowledgeCandidates> = {}) =>
  applyProposal({ ...nothing, ...found }, proposal, { asked: askedWords(question), databases, table: orders })

describe('instructions', () => {
  const given = (text: string, databaseId: string | null = null): KnowledgeProposal => ({
    content: { kind: 'instructions', databaseId, text },
    metricId: null,
  })
  const saved = [{ database: null, text: 'Old.' }, { database: databases[0]!, text: 'Of the shop.' }]

  test.each([
    ['take the place of the saved ones', given('New.'), [{ database: null, text: 'New.' }, saved[1]]],
    ['of a database take the place of its own', given('New.', 'db_1'), [saved[0], { database: databases[0], text: 'New.' }]],
    ['are left out if they are empty', given(''), [saved[1]]],
    ['of a deleted database are left out', given('New.', 'db_2'), saved],
  ])('%s', (_, proposal, expected) => {
    expect(apply(proposal, 'How much?', { instructions: saved }).instructions).toEqual(expected)
  })
})

describe('a metric', () => {
  const other = { itemId: 'knowledge_2', content: metric({ name: 'Orders' }) }
  const names = (proposal: KnowledgeProposal, question: string) =>
    apply(proposal, question, { metrics: [{ itemId: 'knowledge_1', content: metric() }, other] }).metrics.map(({ content }) => content.name)

  test.each([
    ['comes first by its name', metric({ name: 'Turnover' }), 'What was the turnover?', ['Turnover', 'Orders']],
    ['comes first by another name', metric({ name: 'Takings', synonyms: ['turnover'] }), 'What was the turnover?', ['Takings', 'Orders']],
    ['comes last by its description', metric({ name: 'Takings', description: 'Turnover per day' }), 'What was the turnover?', ['Orders', 'Takings']],
    ['is left out if no word matches', metric({ name: 'Takings' }), 'What was the turnover?', ['Orders']],
  ])('that is changed %s', (_, content, question, expected) => {
    expect(names({ content, metricId: 'knowledge_1' }, question)).toEqual(expected)
  })

  test('that is added comes before the saved ones', () => {
    expect(names({ content: metric({ name: 'Turnover' }), metricId: null }, 'What was the turnover?')).toEqual(['Turnover', 'Net revenue', 'Orders'])
  })
})

describe('a description of a table', () => {
  const proposal = { content: described, metricId: null }

  test('takes the place of the saved one', () => {
    expect(apply(proposal, 'How many?', { tables: [orders] }).tables).toEqual([{ ...orders, own: described }])
  })

  test('finds its table by its words', () => {
    expect(apply(proposal, 'How many purchases?').tables).toEqual([{ ...orders, own: described }])
    expect(apply(proposal, 'How many visits?').tables).toEqual([])
  })
})
