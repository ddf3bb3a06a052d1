import { expect, test } from 'vitest'
import { readArtifacts } from './read-artifacts.ts'

export const manifest = (version = 12, more: object = {}) => ({
  metadata: {
    dbt_schema_version: `https://schemas.getdbt.com/dbt/manifest/v${version}.json`,
    generated_at: '2026-01-05T08:00:00Z',
    project_name: 'shop',
  },
  nodes: {
    'model.shop.orders': {
      resource_type: 'model',
      name: 'orders',
      alias: 'fct_orders',
      schema: 'marts',
      description: 'One row per order.',
      original_file_path: 'models/orders.sql',
      raw_code: 'select * from {{ ref("stage") }}',
      columns: { id: { name: 'id', description: 'The order.' }, note: { name: 'note', description: '' } },
      depends_on: { nodes: ['model.shop.stage', 'source.shop.raw.orders'] },
      config: { materialized: 'table' },
    },
    'model.shop.stage': {
      resource_type: 'model',
      name: 'stage',
      schema: 'marts',
      depends_on: { nodes: ['source.shop.raw.customers'] },
      config: { materialized: 'ephemeral' },
    },
    'test.shop.unique': { resource_type: 'test', name: 'unique', schema: 'tests' },
  },
  sources: {
    'source.shop.raw.orders': { resource_type: 'source', name: 'orders', identifier: 'ORDERS', schema: 'raw', columns: {} },
    'source.shop.raw.customers': { resource_type: 'source', name: 'customers', schema: 'raw', description: ' All customers ', columns: {} },
  },
  metrics: {
    'metric.shop.revenue': { name: 'revenue', label: 'Revenue', description: 'Without tax.', type: 'simple', type_params: { measure: { name: 'revenue' } } },
  },
  semantic_models: {
    'semantic_model.shop.orders': { node_relation: { schema_name: 'marts', alias: 'fct_orders' }, measures: [{ name: 'revenue', agg: 'sum', expr: 'amount' }] },
  },
  ...more,
})

const bytesOf = (document: unknown) => [Buffer.from(JSON.stringify(document))]
async function* pieces(document: unknown) {
  yield* bytesOf(document)
}
const read = (document: unknown, links = {}) => readArtifacts(pieces(document), links)

test.each([9, 10, 11, 12, 20])('reads a manifest of version %i', async (version) => {
  const project = await read(manifest(version))
  expect(project).toMatchObject({ name: 'shop', manifestVersion: version, generatedAt: '2026-01-05T08:00:00Z' })
  expect(project.tables.map(({ schema, table, kind }) => `${kind} ${schema}.${table}`)).toEqual([
    'model marts.fct_orders',
    'source raw.ORDERS',
    'source raw.customers',
  ])
  expect(project.tables[0]).toEqual({
    schema: 'marts',
    table: 'fct_orders',
    kind: 'model',
    description: 'One row per order.',
    columns: { id: 'The order.' },
    builtFrom: ['raw.customers', 'raw.ORDERS'],
    file: 'models/orders.sql',
    docsUrl: null,
    sourceUrl: null,
    freshness: null,
  })
  expect(project.metrics).toEqual([{ name: 'revenue', label: 'Revenue', description: 'Without tax.', definition: 'sum(amount) from marts.fct_orders' }])
})

test('adds comments of the catalog and the freshness of sources, and links to both sites', async () => {
  const catalog = {
    nodes: { 'model.shop.orders': { metadata: { comment: 'ignored' }, columns: { ID: { name: 'ID', comment: 'ignored' }, n: { name: 'note', comment: 'Free text.' } } } },
  }
  const sources = { results: [{ unique_id: 'source.shop.raw.orders', status: 'warn', max_loaded_at: '2026-01-04T00:00:00Z' }] }
  const links = { docsUrl: 'https://dbt.example/', repositoryUrl: 'https://git.example/shop/blob/main' }
  const { tables } = await read({ manifest: manifest(), catalog, sources }, links)
  expect(tables[0]).toMatchObject({
    description: 'One row per order.',
    columns: { id: 'The order.', note: 'Free text.' },
    docsUrl: 'https://dbt.example/#!/model/model.shop.orders',
    sourceUrl: 'https://git.example/shop/blob/main/models/orders.sql',
  })
  expect(tables[1]).toMatchObject({ freshness: { status: 'warn', maxLoadedAt: '2026-01-04T00:00:00Z' } })
})

test.each([
  [manifest(8), 'has schema version 8, which is older than 9'],
  [{ metadata: {}, nodes: {} }, 'does not say its schema version'],
  [{ manifest: 7 }, 'does not say its schema version'],
  ['text', 'cannot be read: The file is not a JSON object.'],
])('rejects %j', async (document, message) => {
  await expect(read(document)).rejects.toMatchObject({ code: 'dbt_artifact_invalid', message: expect.stringContaining(message) })
})
