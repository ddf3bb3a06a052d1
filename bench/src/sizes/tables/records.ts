import type { Sizes } from '../sizes.ts'
import { adminId, called, filled, type FilledTable, memberId, numbers, organizationId, owner } from './filled-table.ts'

const boardsOf = ({ references }: Sizes) => Math.ceil(references / 20)
const boardId = `pg_temp.new_id('board', i)`
const boardCreatedAt = (sizes: Sizes) => `pg_temp.time_of(i, ${boardsOf(sizes)}, 600)`
const boardContent = `'{"tabs": [], "tiles": [], "parameters": []}'`

/** The first board and the first reference are discussed a lot. */
const threadsOfFirst = 400
const threads = (sizes: Sizes) => `(
  select 'board' as kind, i, ${boardId} as item_id, i as thread_number from ${numbers('i', boardsOf(sizes))}
  union all select kind, 1, case kind when 'board' then pg_temp.new_id('board', 1) else pg_temp.new_id('ref', 1) end,
    100000000 + n * 2 + case kind when 'board' then 1 else 0 end
  from ${numbers('n', threadsOfFirst)}, unnest(array['board', 'reference']) as kind) as thread, ${owner(sizes)},
  ${called('at', `pg_temp.time_of(thread_number % 1000000, 1000000, 100)`)}`

const recordsOf = ({ events }: Sizes) => Math.ceil(events / 5)
const notificationsOf = ({ events }: Sizes) => Math.ceil(events / 20)

/** Boards with their discussions, notifications and the audit log. */
export const tablesOfRecords: FilledTable[] = [
  filled('boards', (sizes) => ({
    from: `${numbers('i', boardsOf(sizes))}, ${owner(sizes)}, ${called('created_at', boardCreatedAt(sizes))}`,
    row: {
      id: boardId,
      organization_id: organizationId,
      short_id: `pg_temp.short_id('board', i)`,
      folder_id: `case when i % 20 = 1 then pg_temp.new_id('folder', k * 100 + 1 + i % 10) end`,
      version: 'case i when 1 then 200 else 1 end',
      title: `'Sales ' || i`,
      content: boardContent,
      created_by: memberId('i'),
      created_at: 'created_at',
      updated_at: 'created_at',
    },
  })),
  filled('board_versions', (sizes) => ({
    from: `${numbers('i', boardsOf(sizes))}, ${owner(sizes)}, lateral generate_series(1, case i when 1 then 200 else 1 end) as n`,
    row: {
      board_id: boardId,
      number: 'n',
      title: `'Sales ' || i`,
      content: boardContent,
      changed_by: memberId('i'),
      changed_at: `${boardCreatedAt(sizes)} + (n - 1) * interval '1 hour'`,
    },
  })),
  filled('comment_threads', (sizes) => ({
    from: threads(sizes),
    row: {
      id: `pg_temp.new_id('thread', thread_number)`,
      organization_id: organizationId,
      kind: 'kind',
      item_id: 'item_id',
      created_at: 'at',
    },
  })),
  filled('comments', (sizes) => ({
    from: `${threads(sizes)}, ${numbers('n', 2)}`,
    row: {
      id: `pg_temp.ordered_id('comment', at, thread_number * 10 + n)`,
      thread_id: `pg_temp.new_id('thread', thread_number)`,
      organization_id: organizationId,
      text: `'Why did it fall?'`,
      created_by: memberId('n'),
      created_at: 'at',
    },
  })),
  filled('notifications', (sizes) => ({
    from: `${numbers('i', notificationsOf(sizes))}, ${owner(sizes)}, ${called('at', `pg_temp.time_of(i, ${notificationsOf(sizes)}, 80)`)}`,
    row: {
      id: `pg_temp.new_id('ntf', i)`,
      organization_id: organizationId,
      user_id: adminId,
      kind: `'run_failed'`,
      message: `'Every morning failed.'`,
      link: `'/automations'`,
      created_at: 'at',
      read_at: 'case when i % 10 > 0 then at end',
      email_state: `'sent'`,
      email_attempt_count: '1',
    },
  })),
  filled('audit_log', (sizes) => ({
    from: `${numbers('i', recordsOf(sizes))}, ${owner(sizes)}, ${called('at', `pg_temp.time_of(i, ${recordsOf(sizes)}, 390)`)}`,
    row: {
      id: `pg_temp.ordered_id('audit', at, i)`,
      organization_id: organizationId,
      occurred_at: 'at',
      action: `(array['query.created', 'reference.created', 'session.started', 'reference.changed', 'api_key.created'])[1 + i % 5]`,
      actor_kind: `'user'`,
      actor_id: memberId('i'),
      user_id: memberId('i'),
      user_name: `'Person ' || 1 + i % 10`,
      user_email: `'person' || 1 + i % 10 || '@organization' || k || '.example'`,
      subject_type: `'reference'`,
      subject_id: `pg_temp.new_id('ref', i)`,
      subject_name: `'Orders of customer ' || i`,
      details: `'{}'`,
      address: `'192.0.2.1'`,
      request_id: `pg_temp.new_id('req', i)`,
    },
  })),
]
