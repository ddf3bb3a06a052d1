import { agentRunsPerAutomation, type Sizes } from '../sizes.ts'
import { adminId, called, databaseId, filled, type FilledTable, memberId, numbers, organizationId, owner } from './filled-table.ts'

const automationId = `pg_temp.new_id('automation', i)`
const createdAt = (sizes: Sizes) => `pg_temp.time_of(i, ${sizes.automations}, 600)`
const runDays = 300
const instructions = `'Tell me what changed.'`

/** Half have a schedule, a fifth are alerts. */
const isScheduled = 'i % 2 = 0'
const isAlert = 'i % 5 = 1'

/** The same number is due in stores of all sizes: 80 that run, and 20 alerts. The others fall due on the next day, after the measurements. */
const dueAfter = `case when i <= 200 then interval '-1 minute' else (86400 + i % 80000) * interval '1 second' end`

/** The first automation runs every hour. */
const runsOfFirst = ({ automations }: Sizes) => Math.max(100, Math.round(automations / 50))
const automationRuns = (sizes: Sizes) => sizes.automations * agentRunsPerAutomation
const questions = ({ automations }: Sizes) => automations

/** Agent runs, numbered by `s`: those of automations, of the first automation, and answers to the questions of people. */
const agentRuns = (sizes: Sizes) => `${numbers('s', automationRuns(sizes) + runsOfFirst(sizes) + questions(sizes))},
  ${called(
    'i',
    `case when s <= ${automationRuns(sizes)} then (s - 1) % ${sizes.automations} + 1
      when s <= ${automationRuns(sizes) + runsOfFirst(sizes)} then 1 else s - ${automationRuns(sizes) + runsOfFirst(sizes)} end`,
  )},
  ${owner(sizes)}, ${called('is_question', `s > ${automationRuns(sizes) + runsOfFirst(sizes)}`)},
  ${called(
    'at',
    `case when s <= ${automationRuns(sizes)} then pg_temp.time_of(s, ${automationRuns(sizes)}, ${runDays})
      when s <= ${automationRuns(sizes) + runsOfFirst(sizes)} then pg_temp.time_of(s - ${automationRuns(sizes)}, ${runsOfFirst(sizes)}, ${runDays})
      else pg_temp.time_of(i, ${questions(sizes)}, ${runDays}) end`,
  )}`

const message = (number: number, content: string): FilledTable =>
  filled('chat_messages', (sizes) => ({
    from: `${agentRuns(sizes)}, ${called('content', content)}`,
    row: {
      chat_id: `pg_temp.new_id('chat', s)`,
      number: String(number),
      agent_run_id: number === 1 ? 'null' : `pg_temp.new_id('arun', s)`,
      user_id: number === 1 ? `case when is_question then ${memberId('i')} end` : 'null',
      kind: `content ->> 'kind'`,
      content: 'content',
      revision: String(number),
      created_at: 'at',
    },
  }))

export const tablesOfAutomations: FilledTable[] = [
  filled('automations', (sizes) => ({
    from: `${numbers('i', sizes.automations)}, ${owner(sizes)}, ${called('created_at', createdAt(sizes))}`,
    row: {
      id: automationId,
      organization_id: organizationId,
      name: `'Every morning ' || i`,
      instructions,
      agent: `'digest'`,
      enabled: 'true',
      schedule_cron: `case when ${isScheduled} then '0 7 * * *' end`,
      schedule_time_zone: `case when ${isScheduled} then 'Europe/Berlin' end`,
      next_due_at: `case when ${isScheduled} then pg_temp.time_of(1, 1, 0) + ${dueAfter} end`,
      condition: `case when ${isAlert} then jsonb_build_object('kind', 'alert', 'reference', pg_temp.short_id('ref', i), 'muteWindows', '[]'::jsonb,
        'tests', '[{"kind": "threshold", "column": "orders", "comparison": ">", "number": 100, "severity": "warning"}]'::jsonb) end`,
      watched_reference_id: `case when ${isAlert} then pg_temp.new_id('ref', i) end`,
      alert_number: `case when ${isAlert} then 20 else 0 end`,
      created_by: memberId('i'),
      created_at: 'created_at',
      updated_at: 'created_at',
    },
  })),
  filled('automation_references', (sizes) => ({
    from: numbers('i', sizes.automations),
    row: { automation_id: automationId, position: '1', reference_id: `pg_temp.new_id('ref', i)` },
  })),
  filled('alert_changes', (sizes) => ({
    from: `${numbers('i', sizes.automations)} cross join ${numbers('n', 20)}, ${owner(sizes)} where ${isAlert}`,
    row: {
      automation_id: automationId,
      number: 'n',
      organization_id: organizationId,
      at: 'pg_temp.time_of(n, 20, 200)',
      status: `case when n % 2 = 1 then 'firing' else 'resolved' end`,
      severity: `case when n % 2 = 1 then 'warning' end`,
      finding: `'orders is 120, above 100.'`,
      run_id: `pg_temp.new_id('run', i * 10000000 + 1)`,
      announced_by: 'n',
    },
  })),
  filled('chats', (sizes) => ({
    from: agentRuns(sizes),
    row: {
      id: `pg_temp.new_id('chat', s)`,
      organization_id: organizationId,
      short_id: `pg_temp.short_id('chat', s)`,
      title: `case when is_question then 'How many orders did customer ' || i || ' make?' else 'Every morning ' || i end`,
      revision: '3',
      message_count: '3',
      created_at: 'at',
      updated_at: 'at',
      created_by: `case when is_question then ${memberId('i')} end`,
      state_changed_at: 'at',
    },
  })),
  filled('agent_runs', (sizes) => ({
    from: agentRuns(sizes),
    row: {
      id: `pg_temp.new_id('arun', s)`,
      organization_id: organizationId,
      automation_id: `case when not is_question then ${automationId} end`,
      chat_id: `pg_temp.new_id('chat', s)`,
      agent: `case when is_question then 'model' else 'digest' end`,
      status: `'completed'`,
      trigger: `case when is_question then 'question' when ${isScheduled} then 'schedule' else 'person' end`,
      trigger_id: `case when is_question or not (${isScheduled}) then ${memberId('i')} else ${automationId} end`,
      user_id: memberId('i'),
      instructions,
      requested_at: 'at',
      due_at: `case when not is_question and ${isScheduled} then at end`,
      started_at: `at + interval '5 milliseconds'`,
      ended_at: `at + interval '200 milliseconds'`,
      summary: `'There were 42 orders, 3 more than the day before.'`,
      attempt_count: '1',
      lease_number: '1',
    },
  })),
  message(
    1,
    `case when is_question
      then jsonb_build_object('kind', 'question', 'text', 'How many orders did customer ' || i || ' make?', 'follows', null, 'databaseId', ${databaseId})
      else jsonb_build_object('kind', 'instruction', 'text', ${instructions}) end`,
  ),
  message(
    2,
    `jsonb_build_object('kind', 'query_run', 'runId', pg_temp.new_id('run', i * 10000000 + 1), 'status', 'completed', 'rowCount', 1,
      'reference', jsonb_build_object('shortId', pg_temp.short_id('ref', i), 'title', 'Orders of customer ' || i),
      'sql', 'select count(*) as orders from orders', 'parameterValues', '{}'::jsonb, 'failureReason', null,
      'preview', '{"fields": [{"name": "orders", "type": "integer"}], "rows": [[42]]}'::jsonb)`,
  ),
  message(
    3,
    `jsonb_build_object('kind', case when is_question then 'answer' else 'summary' end, 'text',
      'There were 42 orders, 3 more than the day before.', 'figures', '[]'::jsonb, 'sources', '[]'::jsonb)`,
  ),
  filled('chat_feedback', (sizes) => ({
    from: `${agentRuns(sizes)} where is_question and i % 2 = 1`,
    row: {
      chat_id: `pg_temp.new_id('chat', s)`,
      message_number: '3',
      user_id: memberId('i'),
      organization_id: organizationId,
      is_helpful: 'i % 3 > 0',
      updated_at: 'at',
      id: `pg_temp.new_id('feedback', i)`,
    },
  })),
  filled('reports', (sizes) => ({
    from: `${numbers('i', sizes.automations)}, ${owner(sizes)} where i % 2 = 1`,
    row: {
      id: `pg_temp.new_id('rep', i)`,
      organization_id: organizationId,
      automation_id: automationId,
      content: `'{"kind": "summary"}'`,
      target: `jsonb_build_object('kind', 'channel', 'channelId', pg_temp.new_id('chn', k))`,
      channel_id: `pg_temp.new_id('chn', k)`,
      sent_when: `'always'`,
      attachments: `'[]'`,
      is_enabled: 'true',
      created_by: adminId,
      created_at: createdAt(sizes),
      updated_at: createdAt(sizes),
    },
  })),
  filled('report_deliveries', (sizes) => ({
    from: `${agentRuns(sizes)} where not is_question and i % 2 = 1`,
    row: {
      id: `pg_temp.new_id('rdl', s)`,
      organization_id: organizationId,
      report_id: `pg_temp.new_id('rep', i)`,
      agent_run_id: `pg_temp.new_id('arun', s)`,
      purpose: `'report'`,
      recipient: `'Sales'`,
      channel_id: `pg_temp.new_id('chn', k)`,
      content_id: `pg_temp.new_id('rct', k)`,
      state: `case when s % 50 = 0 then 'failed' else 'sent' end`,
      attempts: `jsonb_build_array(jsonb_build_object('at', pg_temp.iso(at), 'detail', null,
        'outcome', case when s % 50 = 0 then 'refused_for_good' else 'sent' end))`,
      attempt_count: '1',
      lease_number: '1',
      created_at: sentAt(sizes),
      ended_at: sentAt(sizes),
    },
  })),
]

/** Reports are kept for 90 days only. */
const sentAt = (sizes: Sizes) => `pg_temp.time_of(s, ${automationRuns(sizes) + runsOfFirst(sizes)}, 80)`
