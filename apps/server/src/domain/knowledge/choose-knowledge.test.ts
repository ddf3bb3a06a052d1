import { expect, test } from 'vitest'
import { chooseKnowledge } from './choose-knowledge.ts'
import type { KnowledgeCandidates } from './knowledge-candidates.ts'
import type { DescribedTable } from './table-descriptions.ts'

const nothing: KnowledgeCandidates = { instructions: [], metrics: [], dbtMetrics: [], verifiedQueries: [], tables: [] }

const metric = (name: string, rest: object = {}): KnowledgeCandidates['metrics'][number] => ({
  itemId: `knowledge_${name}`,
  content: {
    kind: 'metric',
    name,
    description: '',
    unit: null,
    synonyms: [],
    definition: { kind: 'sql', databaseId: 'db_1', sql: 'select 1' },
    ownerId: null,
    ...rest,
  },
})

const table = (name: string, rest: Partial<DescribedTable> = {}): DescribedTable => ({
  databaseId: 'db_1',
  databaseName: 'Shop',
  schema: 'public',
  name,
  kind: 'table',
  rowEstimate: null,
  comment: null,
  columns: [],
  columnCount: 0,
  own: null,
  dbt: null,
  version: 0,
  ...rest,
})

const query = (title: string, sql = 'select 1'): KnowledgeCandidates['verifiedQueries'][number] => ({
  itemId: 'knowledge_query',
  shortId: 'abcdefghjk',
  title,
  description: null,
  sql,
  databaseId: 'db_1',
  verification: { verifiedBy: { id: 'user_1', name: 'Ada' }, verifiedAt: new Date(0), isOutdated: false },
})

test('separates what admins wrote from what databases and members say', () => {
  const { trusted, untrusted, used } = chooseKnowledge(
    {
      instructions: [
        { database: null, text: 'Amounts are in euros.' },
        { database: { id: 'db_1', name: 'Shop' }, text: 'The year starts in April.' },
      ],
      metrics: [
        metric('Net revenue', { unit: '€', synonyms: ['turnover'], description: 'Without VAT.' }),
        metric('Orders', { definition: { kind: 'reference', shortId: 'bcdefghjkm' } }),
      ],
      dbtMetrics: [],
      verifiedQueries: [query('Revenue by week', 'select 1\nfrom orders')],
      tables: [table('orders')],
    },
    10_000,
  )
  expect(trusted).toEqual([
    'Instructions of the organization:\nAmounts are in euros.',
    'Instructions for the database "Shop" (id db_1):\nThe year starts in April.',
    'Metric "Net revenue" in €: Without VAT.\nAlso called "turnover".\nSQL, in the database with the id db_1:\nselect 1',
    'Metric "Orders"\nComputed by the saved query bcdefghjkm: read it with read_reference.',
  ])
  expect(untrusted).toEqual([
    'verified query abcdefghjk "Revenue by week", in the database db_1\n  select 1\n  from orders',
    'table public.orders in the database "Shop", id db_1',
  ])
  expect(used).toEqual([
    { kind: 'metric', name: 'Net revenue', href: '/knowledge/metrics#knowledge_Net revenue' },
    { kind: 'metric', name: 'Orders', href: '/knowledge/metrics#knowledge_Orders' },
    { kind: 'verified_query', name: 'Revenue by week', href: '/q/abcdefghjk' },
    { kind: 'instructions', name: 'of the organization', href: '/knowledge' },
    { kind: 'instructions', name: 'for Shop', href: '/knowledge' },
    { kind: 'table', name: 'public.orders', href: '/databases/db_1' },
  ])
})

test('shows the organization’s description of a table or column instead of the database’s comment', () => {
  const columns = ['id', 'amount', 'constructor'].map((name) => ({ name, type: 'text', comment: `the ${name}` }))
  const own = { kind: 'table', databaseId: 'db_1', schema: 'public', table: 'orders', description: 'One row\nper order', columns: { amount: 'in cents' } } as const
  const described = table('orders', { comment: 'Old', rowEstimate: 7, columns, columnCount: 3, own })
  expect(chooseKnowledge({ ...nothing, tables: [described] }, 10_000).untrusted).toEqual([
    [
      'table public.orders in the database "Shop", id db_1, about 7 rows',
      '  One row per order',
      '  "id" text: the id',
      '  "amount" text: in cents',
      '  "constructor" text: the constructor',
    ].join('\n'),
  ])
})

test('shows the first columns of a wide table', () => {
  const columns = Array.from({ length: 60 }, (_, index) => ({ name: `c${index}`, type: 'text', comment: null }))
  const [text] = chooseKnowledge({ ...nothing, tables: [table('wide', { columns, columnCount: 700 })] }, 10_000).untrusted
  expect(text!.split('\n')).toHaveLength(1 + 40 + 1)
  expect(text).toMatch(/"c39" text\n {2}and 660 more columns$/)
})

test('never exceeds the budget, whatever there is', () => {
  const many: KnowledgeCandidates = {
    instructions: Array.from({ length: 30 }, (_, index) => ({ database: { id: `db_${index}`, name: 'x' }, text: 'i'.repeat(900) })),
    metrics: Array.from({ length: 30 }, (_, index) => metric(`m${index}`, { description: 'm'.repeat(900) })),
    dbtMetrics: Array.from({ length: 30 }, (_, index) => ({ name: `d${index}`, label: 'd', description: 'd'.repeat(900), databaseId: 'db_1', project: 'shop' })),
    verifiedQueries: Array.from({ length: 30 }, (_, index) => query(`q${index}`, 's'.repeat(900))),
    tables: Array.from({ length: 30 }, (_, index) => table(`t${index}`, { comment: 't'.repeat(900) })),
  }
  for (const budget of [0, 100, 1000, 5000, 24_000]) {
    const { trusted, untrusted, used } = chooseKnowledge(many, budget)
    expect([...trusted, ...untrusted].join('').length).toBeLessThanOrEqual(budget)
    expect(used).toHaveLength(trusted.length + untrusted.length)
  }
})

test('leaves room for each kind, and the space that one does not need to the next', () => {
  const long = { database: null, text: 'i'.repeat(4_000) }
  const kinds = (candidates: Partial<KnowledgeCandidates>) =>
    chooseKnowledge({ ...nothing, ...candidates }, 10_000).used.map(({ kind }) => kind)
  const tables = Array.from({ length: 12 }, (_, index) => table(`t${index}`, { comment: 't'.repeat(900) }))
  expect(kinds({ instructions: [long, long], metrics: [metric('m')], tables })).toEqual([
    'metric', 'instructions', 'table', 'table', 'table', 'table', 'table', 'table',
  ])
  expect(kinds({ tables })).toHaveLength(10)
})

test('leaves out an entry that is too long and continues with shorter ones', () => {
  const tables = [table('long', { comment: 'x'.repeat(5_000) }), table('short')]
  expect(chooseKnowledge({ ...nothing, tables }, 1_000).used).toMatchObject([{ name: 'public.short' }])
})

test('metrics of dbt say how they are computed, and are not trusted as those of admins are', () => {
  const dbtMetrics = [{ name: 'net_revenue', label: 'Net revenue', description: 'Without\ntax.', definition: 'sum(amount) from marts.orders', databaseId: 'db_1', project: 'shop' }]
  expect(chooseKnowledge({ ...nothing, dbtMetrics }, 1000)).toEqual({
    trusted: [],
    untrusted: ['metric "net_revenue", called "Net revenue" of the dbt project "shop", in the database db_1\n  Without tax.\n  computed as sum(amount) from marts.orders'],
    used: [{ kind: 'dbt_metric', name: 'Net revenue', href: '/databases/db_1' }],
  })
})
