import type { Reference } from '@querypost/client'
import { Complaint, defineCommand } from '../command.ts'
import { asComplaint, openClient } from '../service-client.ts'
import { drawTable } from '../table.ts'

export const command = defineCommand({
  usage: '[--search <text>]',
  description:
    'Lists the organization’s query references, newest first: the short id of each permalink, its title, and ' +
    'the beginning of its SQL.',
  examples: [
    { line: 'querypost query list', does: 'the latest' },
    { line: 'querypost query list --search revenue', does: 'those that say so in title, description or SQL' },
    { line: 'querypost query list --limit 0 --json', does: 'all of them, for a program' },
  ],
  options: {
    search: { type: 'string', short: 's', value: 'text', does: 'only those with this in title, description or SQL' },
    limit: { type: 'string', value: 'n', default: '50', does: 'how many at most, 0 for all (50)' },
  },
  async run(context, { operands, options }) {
    if (operands.length > 0) throw new Complaint(2, `Did you mean --search ${operands.join(' ')}?`)
    if (!/^\d{1,7}$/.test(options.limit))
      throw new Complaint(2, `--limit ${options.limit} is no number. Example: --limit 100`)
    const most = Number(options.limit) || Infinity
    const client = openClient(context)
    const found: Reference[] = []
    let isCut = false
    try {
      for await (const reference of client.references.list({ limit: 100, signal: context.signal })) {
        if (!matches(reference, options.search)) continue
        isCut = found.length === most
        if (isCut) break
        found.push(reference)
      }
    } catch (error) {
      if (context.signal.aborted) return 1
      throw asComplaint(error)
    }
    const { stdout, stderr, paint, isJson } = context
    if (isJson) {
      stdout.write(`${JSON.stringify({ items: found })}\n`)
      return 0
    }
    const columns = ['short id', 'title', 'SQL'].map((name) => ({ name, isNumber: false }))
    const rows = found.map(({ shortId, title, currentQuery }) => [
      shortId,
      title,
      currentQuery.sql.replaceAll(/\s+/g, ' ').slice(0, 200),
    ])
    const width = stdout.isTTY ? (stdout.columns ?? 80) : undefined
    if (found.length > 0) stdout.write(drawTable({ columns, rows, width, paint: paint.stdout }).text)
    else
      stderr.write(
        options.search === undefined ? 'There are none yet.\n' : `None holds ${JSON.stringify(options.search)}.\n`,
      )
    if (isCut) stderr.write(`${paint.stderr.dim(`The first ${most}; --limit 0 lists all.`)}\n`)
    return 0
  },
})

function matches({ title, description, currentQuery }: Reference, search: string | undefined): boolean {
  if (search === undefined) return true
  const wanted = search.toLowerCase()
  return [title, description ?? '', currentQuery.sql].some((text) => text.toLowerCase().includes(wanted))
}
