import { busyEndpoint, endpointsPerOrganization, membersPerOrganization, type Sizes } from '../sizes.ts'
import { adminId, databaseId, filled, type FilledTable, jsonOf, numbers, organizationId } from './filled-table.ts'

const organizationsOf = ({ organizations }: Sizes) => numbers('k', organizations)
const founded = `timestamptz '2024-01-01Z' + k * interval '1 hour'`

/** Everything of which an organization has a fixed number, however large it is. */
export const tablesOfPeople = (options: { passwordHash: string; keyHashInSql: string }): FilledTable[] => [
  filled('organizations', (sizes) => ({
    from: organizationsOf(sizes),
    row: { id: organizationId, name: `'Organization ' || k`, created_at: founded },
  })),
  filled('users', (sizes) => ({
    from: `${organizationsOf(sizes)}, ${numbers('n', membersPerOrganization)}`,
    row: {
      id: 'pg_temp.user_id(k, n)',
      email: `'person' || n || '@organization' || k || '.example'`,
      name: `'Person ' || n`,
      password_hash: `'${options.passwordHash}'`,
      created_at: founded,
    },
  })),
  filled('memberships', (sizes) => ({
    from: `${organizationsOf(sizes)}, ${numbers('n', membersPerOrganization)}`,
    row: {
      organization_id: organizationId,
      user_id: 'pg_temp.user_id(k, n)',
      role: `case n when 1 then 'admin' else 'member' end`,
      created_at: founded,
    },
  })),
  filled('api_keys', (sizes) => ({
    from: organizationsOf(sizes),
    row: {
      id: `pg_temp.new_id('key', k)`,
      organization_id: organizationId,
      user_id: adminId,
      name: `'Warehouse sync'`,
      prefix: `'qp_live_'`,
      key_hash: options.keyHashInSql,
      created_at: founded,
      scopes: `'{read,run,write,admin}'`,
    },
  })),
  filled('key_use', (sizes) => ({
    from: `${organizationsOf(sizes)}, ${numbers('n', 240)}, unnest(array['GET /api/me', 'GET /api/references']) as route`,
    row: {
      organization_id: organizationId,
      key_id: `pg_temp.new_id('key', k)`,
      hour: `date_trunc('hour', pg_temp.time_of(n, 240, 10))`,
      route: 'route',
      key_name: `'Warehouse sync'`,
      user_id: adminId,
      request_count: '60',
      refused_count: '1',
      failed_count: '0',
      first_at: `pg_temp.time_of(n, 240, 10)`,
      last_at: `pg_temp.time_of(n, 240, 10)`,
      last_status: '200',
      last_address: `'192.0.2.1'`,
    },
  })),
  filled('analytical_database_configs', (sizes) => ({
    from: `${organizationsOf(sizes)}, ${numbers('n', 3)}`,
    row: {
      id: `pg_temp.new_id('db', k * 10 + n)`,
      organization_id: organizationId,
      name: `'Warehouse ' || n`,
      engine: `'duckdb'`,
      settings: jsonOf({ file: 'warehouse.duckdb' }),
      created_by: adminId,
      created_at: founded,
    },
  })),
  filled('catalogs', (sizes) => ({
    from: `${organizationsOf(sizes)}, ${numbers('n', 3)}`,
    row: {
      analytical_database_config_id: `pg_temp.new_id('db', k * 10 + n)`,
      organization_id: organizationId,
      refreshed_at: 'pg_temp.time_of(1, 1, 0)',
    },
  })),
  filled('catalog_tables', (sizes) => ({
    from: `${organizationsOf(sizes)}, ${numbers('n', 50)}`,
    row: {
      analytical_database_config_id: databaseId,
      schema_name: `'main'`,
      table_name: `'orders_' || n`,
      organization_id: organizationId,
      kind: `'table'`,
      row_estimate: '1000',
      columns: jsonOf([{ name: 'amount', type: 'DOUBLE', comment: null }]),
      column_count: '1',
      hash: 'md5(n::text)',
      words: `array_to_tsvector(search_lexemes(${organizationId}, 'main orders ' || n || ' amount'))`,
    },
  })),
  filled('dbt_imports', (sizes) => ({
    from: organizationsOf(sizes),
    row: {
      organization_id: organizationId,
      analytical_database_config_id: databaseId,
      project: `'shop'`,
      manifest_version: '12',
      table_count: '0',
      found_table_count: '0',
      described_column_count: '0',
      metrics: `'[]'`,
      imported_by: adminId,
      imported_at: founded,
    },
  })),
  filled('folders', (sizes) => ({
    from: `${organizationsOf(sizes)}, ${numbers('n', 10)}`,
    row: {
      id: `pg_temp.new_id('folder', k * 100 + n)`,
      organization_id: organizationId,
      name: `'Folder ' || n`,
      version: '1',
      created_by: adminId,
      created_at: founded,
      updated_at: founded,
    },
  })),
  filled('folder_versions', (sizes) => ({
    from: `${organizationsOf(sizes)}, ${numbers('n', 10)}`,
    row: { folder_id: `pg_temp.new_id('folder', k * 100 + n)`, number: '1', name: `'Folder ' || n`, changed_at: founded },
  })),
  filled('channels', (sizes) => ({
    from: organizationsOf(sizes),
    row: {
      id: `pg_temp.new_id('chn', k)`,
      organization_id: organizationId,
      kind: `'teams'`,
      name: `'Sales'`,
      settings: `'{}'`,
      sealed_secret: `'\\x01'`,
      created_by: adminId,
      created_at: founded,
      updated_at: founded,
    },
  })),
  filled('webhook_endpoints', (sizes) => ({
    from: `${organizationsOf(sizes)}, ${numbers('m', busyEndpoint, 0)} where m < ${endpointsPerOrganization} or k = 1`,
    row: {
      id: `pg_temp.new_id('we', k * 100 + m)`,
      organization_id: organizationId,
      url: `'https://hooks' || m || '.organization' || k || '.example/querypost'`,
      event_types: `array(select (array[${eventTypesInSql}])[1 + (m + offset_of_type) % 8] from generate_series(0, 2) as offset_of_type)`,
      state: `case when ${isDisabled} then 'disabled' else 'enabled' end`,
      disabled_at: `case when ${isDisabled} then pg_temp.time_of(1, 1, 0.5) end`,
      disabled_reason: `case when ${isDisabled} then 'too_many_failures' end`,
      secret: `'\\x01'`,
      created_by: adminId,
      created_at: `case when m in (8, 9) then pg_temp.time_of(1, 1, 1) else ${founded} end`,
      updated_at: founded,
    },
  })),
  filled('model_usage', (sizes) => ({
    from: `${organizationsOf(sizes)}, ${numbers('n', 30)}, ${numbers('m', 10)}`,
    row: {
      organization_id: organizationId,
      day: `(pg_temp.time_of(n, 30, 30))::date`,
      user_id: 'pg_temp.user_id(k, m)',
      source_id: `'chats'`,
      model: `'small'`,
      input_tokens: '12000',
      output_tokens: '900',
      request_count: '4',
    },
  })),
  filled('knowledge_items', (sizes) => ({
    from: `${organizationsOf(sizes)}, ${numbers('n', 20)}`,
    row: {
      id: `pg_temp.new_id('knowledge', k * 100 + n)`,
      organization_id: organizationId,
      kind: `'metric'`,
      subject: `pg_temp.new_id('knowledge', k * 100 + n)`,
      version: '3',
      content: metric,
      words: `array_to_tsvector(search_lexemes(${organizationId}, 'Revenue ' || n))`,
      changed_by: adminId,
      changed_at: founded,
    },
  })),
  filled('knowledge_versions', (sizes) => ({
    from: `${organizationsOf(sizes)}, ${numbers('n', 20)}, ${numbers('m', 3)}`,
    row: {
      id: `pg_temp.ordered_id('version', ${founded} + m * interval '1 day', k * 1000 + n * 10 + m)`,
      organization_id: organizationId,
      item_id: `pg_temp.new_id('knowledge', k * 100 + n)`,
      number: 'm',
      content: metric,
      changed_by: adminId,
      changed_at: `${founded} + m * interval '1 day'`,
    },
  })),
  filled('question_sets', (sizes) => ({
    from: `${organizationsOf(sizes)}, ${numbers('n', 3)}`,
    row: {
      id: `pg_temp.new_id('qset', k * 10 + n)`,
      organization_id: organizationId,
      name: `'Checks ' || n`,
      questions: `jsonb_build_array(${question})`,
      created_by: adminId,
      created_at: founded,
      updated_at: founded,
    },
  })),
  filled('evaluations', (sizes) => ({
    from: `${organizationsOf(sizes)}, ${numbers('n', 3)}, ${numbers('m', 50)}`,
    row: {
      id: `pg_temp.new_id('evaluation', k * 1000 + n * 100 + m)`,
      organization_id: organizationId,
      question_set_id: `pg_temp.new_id('qset', k * 10 + n)`,
      model: `'small'`,
      trigger: `'person'`,
      trigger_id: adminId,
      user_id: adminId,
      requested_at: 'pg_temp.time_of(m, 50, 50)',
      ended_at: 'pg_temp.time_of(m, 50, 50)',
    },
  })),
  filled('evaluation_answers', (sizes) => ({
    from: `${organizationsOf(sizes)}, ${numbers('n', 3)}, ${numbers('m', 50)}`,
    row: {
      evaluation_id: `pg_temp.new_id('evaluation', k * 1000 + n * 100 + m)`,
      position: '1',
      question,
      status: `'correct'`,
      ended_at: 'pg_temp.time_of(m, 50, 50)',
    },
  })),
  filled('report_contents', (sizes) => ({
    from: organizationsOf(sizes),
    row: {
      id: `pg_temp.new_id('rct', k)`,
      organization_id: organizationId,
      document: jsonOf({ title: 'Weekly sales', preview: 'Revenue rose.', link: 'https://querypost.example/b/k7Rm2QwXn4', sentAt: '2026-01-05T09:00:00.000Z', sections: [] }),
      created_at: founded,
    },
  })),
]

const isDisabled = '(m = 9 and k % 5 = 1)'

const metric = `jsonb_build_object('kind', 'metric', 'name', 'Revenue ' || n, 'unit', null, 'ownerId', null, 'synonyms', '[]'::jsonb,
    'description', '', 'definition', jsonb_build_object('kind', 'sql', 'databaseId', ${databaseId}, 'sql', 'select sum(amount) from orders'))`

const question = `jsonb_build_object('text', 'How many orders are there?', 'databaseId', ${databaseId}, 'expectedSql', 'select count(*) from orders',
    'expectedRows', null, 'isOrdered', false, 'tolerance', 0)`

/** Endpoint `m` subscribes to three of them: number `m`, and the next two. */
export const eventTypesInSql = [
  'automation.run.completed',
  'automation.run.failed',
  'query.run.completed',
  'query.run.failed',
  'board.report.sent',
  'automation.alert.fired',
  'automation.alert.resolved',
  'reference.changed',
].map((type) => `'${type}'`).join(', ')

