import {
  historyEvery,
  keptResultsWithHistory,
  runsWithHistory,
  type Sizes,
  versionsWithHistory,
} from '../sizes.ts'
import { adminId, called, databaseId, filled, type FilledTable, memberId, numbers, organizationId, owner } from './filled-table.ts'

/** References in the trash, and queries that nobody saved, are numbered after the references. */
const deletedOf = ({ references }: Sizes) => Math.ceil(references / 50)
const unsavedOf = ({ references }: Sizes) => Math.ceil(references / 10)
const queriesOf = (sizes: Sizes) => sizes.references + deletedOf(sizes) + unsavedOf(sizes)
const withHistoryOf = ({ references }: Sizes) => Math.floor(references / historyEvery)

/** The first reference is refreshed every few minutes. */
const busiestRuns = ({ references }: Sizes) => Math.max(200, Math.round(references / 5))

/** The change feeds of a few. */
const publishesChanges = 'i % 50 = 1'
const changesPerFeed = 20

const createdDays = 700
const runDays = 60
const createdAt = (sizes: Sizes, i = 'i') => `pg_temp.time_of(${i}, ${queriesOf(sizes)}, ${createdDays})`
const referenceId = `pg_temp.new_id('ref', i)`
const sqlText = `'select count(*) as orders, sum(amount) as revenue from orders where customer_id = ' || i`
/** One query of the largest organization has a word that no other has, in stores of all sizes. */
const title = `case when i = 1 then 'Refunds' else 'Orders' end || ' of customer ' || i`

/** For each number `i`: `k`, `created_at` and `query_id`. */
const each = (sizes: Sizes, series: string) =>
  `${series}, ${owner(sizes)}, ${called('created_at', createdAt(sizes))}, ${called('query_id', 'pg_temp.query_id(i, created_at)')}`

/** Runs of the references `i`: number `r`, at the time `at`. They are listed in the order of time. */
interface Runs {
  from: string
  runNumber: string
}

/** One run of each reference without a history. */
const singleRuns = (sizes: Sizes): Runs => ({
  from: `${each(sizes, numbers('i', sizes.references, 2))}, ${called('r', '1')},
    ${called('at', `pg_temp.time_of(i, ${sizes.references}, ${runDays})`)} where i % ${historyEvery} <> 0`,
  runNumber: 'i * 10000000 + r',
})

const runsOfHistories = (sizes: Sizes, first = 1): Runs => {
  const count = withHistoryOf(sizes)
  const all = count * runsWithHistory
  return {
    from: `${numbers('s', all, (first - 1) * count + 1)}, ${called('i', `((s - 1) % ${count} + 1) * ${historyEvery}`)},
      ${called('r', `(s - 1) / ${count} + 1`)}, ${owner(sizes)}, ${called('created_at', createdAt(sizes))},
      ${called('query_id', 'pg_temp.query_id(i, created_at)')}, ${called('at', `pg_temp.time_of(s, ${all}, ${runDays})`)}`,
    runNumber: 'i * 10000000 + r',
  }
}

const runsOfBusiest = (sizes: Sizes, first = 1): Runs => ({
  from: `${numbers('r', busiestRuns(sizes), first)}, ${called('i', '1::bigint')}, ${owner(sizes)}, ${called('created_at', createdAt(sizes))},
    ${called('query_id', 'pg_temp.query_id(i, created_at)')}, ${called('at', `pg_temp.time_of(r, ${busiestRuns(sizes)}, ${runDays})`)}`,
  runNumber: 'i * 10000000 + r',
})

const hasFailed = (runNumber: string) => `(${runNumber}) % 33 = 5`

const runsTable = (runs: (sizes: Sizes) => Runs): FilledTable =>
  filled('runs', (sizes) => {
    const { from, runNumber } = runs(sizes)
    const failed = hasFailed(runNumber)
    const unlessFailed = (value: string) => `case when not ${failed} then ${value} end`
    return {
      from,
      row: {
        id: `pg_temp.new_id('run', ${runNumber})`,
        organization_id: organizationId,
        query_id: 'query_id',
        number: 'r',
        status: `case when ${failed} then 'failed' else 'completed' end`,
        trigger_id: memberId('i'),
        parameter_values: `'{}'`,
        parameter_types: `'{}'`,
        rendered_sql: sqlText,
        run_at: 'at',
        started_at: `at + interval '4 milliseconds'`,
        completed_at: `at + interval '60 milliseconds'`,
        failure_reason: `case when ${failed} then 'The database stopped the query.' end`,
        rows_read: '10000',
        row_count: unlessFailed('1'),
        bytes_read: '80000',
        result_size_bytes: unlessFailed('120'),
        result_hash: unlessFailed(`md5((${runNumber})::text)`),
        result_removed_at: unlessFailed(`case when at < pg_temp.time_of(1, 1, 1) then at + interval '1 day' end`),
        started_xid: 'pg_current_xact_id()',
        ended_xid: 'pg_current_xact_id()',
        analytical_database_config_id: databaseId,
        lease_number: '1',
      },
    }
  })

const versions = (rowsOf: (sizes: Sizes) => string): FilledTable =>
  filled('query_reference_versions', (sizes) => ({
    from: rowsOf(sizes),
    row: {
      reference_id: referenceId,
      number: 'n',
      title,
      description: `'Counted every night'`,
      is_optimistic: 'false',
      query_id: 'query_id',
      parameters: `'[]'`,
      changed_by: memberId('i'),
      changed_at: `created_at + (n - 1) * interval '1 hour'`,
    },
  }))

/** Kept results of the latest runs. */
const keptResults = (runs: (sizes: Sizes) => Runs): FilledTable[] => [
  filled('archive_objects', (sizes) => {
    const { from, runNumber } = runs(sizes)
    return {
      from: `${from} where not ${hasFailed(runNumber)}`,
      row: {
        id: `pg_temp.new_id('arc', ${runNumber})`,
        organization_id: organizationId,
        content_hash: `md5((${runNumber})::text)`,
        key_id: `pg_temp.new_id('arc', ${runNumber})`,
        chain_length: '0',
        chain_bytes: '120',
        place: `'files'`,
        document_bytes: '120',
        stored_bytes: '120',
        written_at: 'at',
        created_at: 'at',
      },
    }
  }),
  filled('archived_results', (sizes) => {
    const { from, runNumber } = runs(sizes)
    return {
      from: `${from} where not ${hasFailed(runNumber)}`,
      row: {
        reference_id: referenceId,
        run_id: `pg_temp.new_id('run', ${runNumber})`,
        organization_id: organizationId,
        query_id: 'query_id',
        parameter_values: `'{}'`,
        parameter_types: `'{}'`,
        at: `at + interval '60 milliseconds'`,
        row_count: '1',
        size_bytes: '120',
        result_hash: `md5((${runNumber})::text)`,
        object_id: `pg_temp.new_id('arc', ${runNumber})`,
      },
    }
  }),
]

export const tablesOfQueries: FilledTable[] = [
  filled('queries', (sizes) => ({
    from: each(sizes, numbers('i', queriesOf(sizes))),
    row: {
      id: 'query_id',
      organization_id: organizationId,
      sql: sqlText,
      analytical_database_config_id: databaseId,
      created_by: memberId('i'),
      created_at: 'created_at',
      updated_at: 'created_at',
    },
  })),
  filled('query_references', (sizes) => ({
    from: `${each(sizes, numbers('i', sizes.references + deletedOf(sizes)))},
      ${called('deleted_at', `case when i > ${sizes.references} then pg_temp.time_of(i - ${sizes.references}, ${deletedOf(sizes)}, 20) end`)}`,
    row: {
      id: referenceId,
      organization_id: organizationId,
      short_id: `pg_temp.short_id('ref', i)`,
      title,
      description: `'Counted every night'`,
      is_optimistic: 'false',
      query_id: 'query_id',
      created_by: memberId('i'),
      created_at: 'created_at',
      updated_at: 'created_at',
      deleted_at: 'deleted_at',
      deleted_xid: 'case when deleted_at is not null then pg_current_xact_id() end',
      folder_id: `case when i % 20 = 1 then pg_temp.new_id('folder', k * 100 + 1 + i % 10) end`,
    },
  })),
  filled('deleted_items', (sizes) => ({
    from: `${numbers('i', sizes.references + deletedOf(sizes), sizes.references + 1)}, ${owner(sizes)}`,
    row: {
      organization_id: organizationId,
      kind: `'reference'`,
      item_id: referenceId,
      deleted_by: adminId,
      deleted_at: `pg_temp.time_of(i - ${sizes.references}, ${deletedOf(sizes)}, 20)`,
    },
  })),
  filled('query_reference_search', (sizes) => ({
    from: each(sizes, numbers('i', sizes.references)),
    row: {
      reference_id: referenceId,
      organization_id: organizationId,
      analytical_database_config_id: databaseId,
      created_by: memberId('i'),
      created_at: 'created_at',
      words: `array_to_tsvector(search_lexemes(${organizationId}, ${title} || ' Counted every night ' || ${sqlText}))`,
    },
  })),
  filled('item_tags', (sizes) => ({
    from: `${numbers('i', sizes.references)}, ${owner(sizes)}`,
    row: {
      organization_id: organizationId,
      kind: `'reference'`,
      item_id: referenceId,
      tag: `'Tag ' || i % 10`,
      key: `'tag ' || i % 10`,
    },
  })),
  filled('public_links', (sizes) => ({
    from: `${numbers('i', Math.ceil(sizes.references / 50))}, ${owner(sizes)}`,
    row: {
      id: `pg_temp.new_id('link', i)`,
      organization_id: organizationId,
      kind: `'reference'`,
      short_id: `pg_temp.short_id('ref', i)`,
      token_hash: `decode(md5('link' || i) || md5('token' || i), 'hex')`,
      sealed_token: `'\\x01'`,
      options: `'{"showsSql": false, "downloads": [], "parameters": [], "allowsRefresh": false}'`,
      created_by: adminId,
      created_at: createdAt(sizes),
    },
  })),
  versions((sizes) => `${each(sizes, numbers('i', sizes.references + deletedOf(sizes)))}, ${called('n', '1')}`),
  versions(
    (sizes) => `${each(sizes, numbers('i', sizes.references))}, ${numbers('n', versionsWithHistory, 2)} where i % ${historyEvery} = 0`,
  ),
  versions((sizes) => `${each(sizes, numbers('i', 1))}, ${numbers('n', 200, 2)}`),
  filled('change_feeds', (sizes) => ({
    from: `${each(sizes, numbers('i', sizes.references))} where ${publishesChanges}`,
    row: {
      reference_id: referenceId,
      organization_id: organizationId,
      is_publishing: 'true',
      key_columns: `'{customer_id}'`,
      latest_number: String(changesPerFeed),
      updated_at: 'created_at',
    },
  })),
  filled('reference_changes', (sizes) => ({
    from: `${each(sizes, numbers('i', sizes.references))}, ${numbers('n', changesPerFeed)} where ${publishesChanges}`,
    row: {
      reference_id: referenceId,
      number: 'n',
      organization_id: organizationId,
      at: `pg_temp.time_of(n, ${changesPerFeed}, 300)`,
      from_run_id: `pg_temp.new_id('run', i * 10000000 + 1)`,
      to_run_id: `pg_temp.new_id('run', i * 10000000 + 1)`,
      from_result_hash: 'md5(n::text)',
      to_result_hash: 'md5((n + 1)::text)',
      key_columns: `'{customer_id}'`,
      is_key_unique: 'true',
      is_replacement: 'false',
      added: '1',
      removed: '0',
      changed: '2',
      recorded_at: `pg_temp.time_of(n, ${changesPerFeed}, 300)`,
    },
  })),
  runsTable(runsOfHistories),
  runsTable(singleRuns),
  runsTable(runsOfBusiest),
  ...keptResults((sizes) => runsOfHistories(sizes, runsWithHistory - keptResultsWithHistory + 1)),
  ...keptResults((sizes) => runsOfBusiest(sizes, Math.max(1, busiestRuns(sizes) - 399))),
  // Every kept result is a chain of its own.
  filled('archive_chains', () => ({
    from: 'archived_results as result join archive_objects as object on object.id = result.object_id',
    row: {
      key_id: 'object.key_id',
      organization_id: 'object.organization_id',
      reference_id: 'result.reference_id',
      stored_bytes: 'object.stored_bytes',
    },
  })),
  filled('reference_space', () => ({
    from: 'archive_chains group by reference_id, organization_id',
    row: { reference_id: 'reference_id', organization_id: 'organization_id', stored_bytes: 'sum(stored_bytes)' },
  })),
  filled('organization_space', () => ({
    from: 'archive_chains group by organization_id',
    row: { organization_id: 'organization_id', stored_bytes: 'sum(stored_bytes)' },
  })),
]
