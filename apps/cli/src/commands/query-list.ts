import type { Reference } from '@querypost/client'
import { CommandError, defineCommand } from '../command.ts'
import { toCommandError, openClient } from '../service-client.ts'
import { readConnection } from '../service-connection.ts'
import { drawTable } from '../table.ts'

export const command = defineCommand({
  usage: '[--search <text>]',
  description:
    'Lists the saved queries of your organization, newest first, with their permalinks. ' +
    '`querypost query run` and `querypost query result` take a permalink or its short id.',
  examples: [
    { line: 'querypost query list', description: 'list the 50 newest' },
    { line: 'querypost query list --search revenue', description: 'find queries by title, description or SQL' },
    { line: 'querypost query list --limit 0 --json', description: 'list all queries as JSON' },
  ],
  options: {
    search: { type: 'string', short: 's', value: 'text', description: 'only queries with this text in their title, description or SQL' },
    limit: { type: 'string', value: 'n', default: '50', description: 'show at most this many; 0 for all (default: 50)' },
  },
  async run(context, { operands, options }) {
    if (operands.length > 0) throw new CommandError(2, `Did you mean --search ${operands.join(' ')}?`)
    if (!/^\d{1,7}$/.test(options.limit))
      throw new CommandError(2, `--limit ${options.limit} is not a number. Example: --limit 100`)
    const maxCount = Number(options.limit) || Infinity
    const client = openClient(context)
    const found: Reference[] = []
    let isCut = false
    try {
      for await (const reference of client.references.list({ limit: 100, signal: context.signal })) {
        if (!matches(reference, options.search)) continue
        isCut = found.length === maxCount
        if (isCut) break
        found.push(reference)
      }
    } catch (error) {
      if (context.signal.aborted) return 1
      throw toCommandError(error)
    }
    const { stdout, stderr, paint, isJson } = context
    if (isJson) {
      stdout.write(`${JSON.stringify({ items: found })}\n`)
      return 0
    }
    const columns = [
      { name: 'permalink', isNumber: false, isNeverCut: true },
      { name: 'title', isNumber: false },
    ]
    const { baseUrl } = readConnection(context)
    const rows = found.map(({ shortId, title }) => [`${baseUrl}/q/${shortId}`, title])
    const width = stdout.isTTY ? (stdout.columns ?? 80) : undefined
    if (found.length > 0) stdout.write(drawTable({ columns, rows, width, paint: paint.stdout }).text)
    else
      stderr.write(
        options.search === undefined ? 'No saved queries yet.\n' : `No saved query contains ${JSON.stringify(options.search)}.\n`,
      )
    if (isCut) stderr.write(`${paint.stderr.dim(`Showing the first ${maxCount}. Use --limit 0 to list all.`)}\n`)
    return 0
  },
})

function matches({ title, description, currentQuery }: Reference, search: string | undefined): boolean {
  if (search === undefined) return true
  const searched = search.toLowerCase()
  return [title, description ?? '', currentQuery.sql].some((text) => text.toLowerCase().includes(searched))
}
