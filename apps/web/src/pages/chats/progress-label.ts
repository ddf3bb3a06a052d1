import type { AgentRun } from '../../api/automation-runs.ts'
import type { Message } from '../../api/chats.ts'

/** What an agent is doing now, by the last message of its exchange. */
export function progressLabel(run: Pick<AgentRun, 'status'>, last: Message | undefined): string {
  if (run.status === 'pending') return 'Waiting to start…'
  switch (last?.kind) {
    case 'query_run':
      if (last.status !== 'pending' && last.status !== 'running') return 'Reading the result…'
      return last.reference ? `Running “${last.reference.title}”…` : 'Running SQL…'
    case 'tool_call':
      if (last.status !== 'running') return 'Thinking…'
      return last.connector === null ? (toolLabels[last.tool] ?? `Using ${last.tool}…`) : `Asking ${last.connector}…`
    case 'text':
      return 'Writing…'
    default:
      return 'Thinking…'
  }
}

const toolLabels: Record<string, string> = {
  list_tables: 'Looking at the tables…',
  describe_table: 'Looking at a table…',
  run_sql: 'Running SQL…',
  read_reference: 'Reading a saved query…',
  save_query: 'Saving a query…',
  draw_chart: 'Drawing a chart…',
}
