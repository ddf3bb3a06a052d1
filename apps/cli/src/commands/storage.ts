import type { Config, RetentionSetting, StoredTable } from '@querypost/server/configuration'
import { CommandError, type Context, defineCommand } from '../command.ts'
import { localUrl } from '../doctor/service.ts'
import { drawTable } from '../table.ts'
import { readSettings, sizeText } from './backup-messages.ts'

export const command = defineCommand({
  usage: '',
  description:
    'Lists the tables of the store, largest first: their size with indexes, the estimated number of rows, and how long rows are kept, with\n' +
    'the setting that decides it. It asks the running service, over all organizations. Run it with the settings of the service.',
  examples: [
    { line: 'querypost storage', description: 'list the 20 largest tables' },
    { line: 'querypost storage --all --json', description: 'list all tables as JSON' },
  ],
  options: { all: { type: 'boolean', description: 'list all tables' } },
  common: ['json', 'url'],
  async run(context, { operands, options }) {
    if (operands.length > 0) throw new CommandError(2, `${operands[0]} is one argument too many.`)
    const config = await readSettings(context.environment)
    const tables = await measure(context, config)
    const shown = options.all === true ? tables : tables.slice(0, largest)
    const { stdout, stderr, paint, isJson } = context
    if (isJson) {
      stdout.write(`${JSON.stringify({ tables: shown })}\n`)
      return 0
    }
    const columns = [
      { name: 'table', isNumber: false, isNeverCut: true },
      { name: 'size', isNumber: true },
      { name: 'rows', isNumber: true },
      { name: 'kept', isNumber: false },
    ]
    const rows = shown.map(({ table, sizeBytes, rowCount, kept }) => [table, sizeText(sizeBytes), rowCount?.toLocaleString('en') ?? '', kept])
    stdout.write(drawTable({ columns, rows, width: stdout.isTTY ? (stdout.columns ?? 80) : undefined, paint: paint.stdout }).text)
    const allBytes = tables.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    stderr.write(`${paint.stderr.dim(`${tables.length} tables with ${sizeText(allBytes)}.`)}\n`)
    return 0
  },
})

const largest = 20

async function measure({ fetch, environment, signal, ...context }: Context, config: Config): Promise<StoredTable[]> {
  const url = (context.url ?? environment['QUERYPOST_URL']?.trim() ?? localUrl(config)).replace(/\/+$/, '')
  const metrics = await readMetrics(fetch, url, signal)
  const { describeTables } = await import('@querypost/server/configuration')
  const sizes = valuesOf(metrics, 'querypost_table_bytes')
  const counts = valuesOf(metrics, 'querypost_table_rows')
  if (sizes.size === 0) throw new CommandError(1, `${url} does not say how large its tables are. Its store may be down: run querypost doctor.`)
  const measured = [...sizes].map(([table, sizeBytes]) => ({ table, sizeBytes, rowCount: counts.get(table) ?? null }))
  return describeTables(measured, settingsOf(config))
}

async function readMetrics(fetch: Context['fetch'], url: string, signal: AbortSignal): Promise<string> {
  try {
    const answer = await fetch(`${url}/metrics`, { signal })
    if (answer.ok) return await answer.text()
    throw new Error(`it answered ${answer.status}`)
  } catch (error) {
    throw new CommandError(1, `Can’t read ${url}/metrics: ${(error as Error).message}. Start the service, or name its address with --url.`)
  }
}

/** The samples of a metric, by table. */
const valuesOf = (metrics: string, name: string) =>
  new Map([...metrics.matchAll(new RegExp(String.raw`^${name}\{[^}]*\btable="(\w+)"[^}]*\} (\S+)$`, 'gm'))].map(([, table, value]) => [table!, Number(value)]))

const settingsOf = (config: Config): Record<RetentionSetting, number> => ({
  RESULT_TTL_HOURS: config.resultTtlHours,
  UNSAVED_QUERY_DAYS: config.unsavedQueryDays,
  RUN_DAYS: config.runDays,
  CHAT_DAYS: config.chatDays,
  ALERT_HISTORY_DAYS: config.alertHistoryDays,
  UNUSED_IMAGE_DAYS: config.unusedImageDays,
  AUDIT_LOG_DAYS: config.auditLogDays,
})
