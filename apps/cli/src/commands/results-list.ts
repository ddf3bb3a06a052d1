import type { KeptResult } from '@querypost/client'
import { CommandError, defineCommand } from '../command.ts'
import { readShortId } from '../query/find-query.ts'
import { openClient, toCommandError } from '../service-client.ts'
import { drawTable } from '../table.ts'

export const command = defineCommand({
  usage: '<permalink | shortId>',
  description: 'Lists the kept results of a saved query, newest first.',
  examples: [
    { line: 'querypost results list k7Rm2QwXn4', description: 'list the 50 newest' },
    { line: 'querypost results list k7Rm2QwXn4 --limit 0 --json', description: 'list all of them as JSON' },
  ],
  options: {
    limit: { type: 'string', value: 'n', default: '50', description: 'show at most this many; 0 for all (default: 50)' },
  },
  async run(context, { operands, options }) {
    const [given, ...rest] = operands
    if (given === undefined || rest.length > 0) throw new CommandError(2, 'Name one query by its permalink or short id.')
    if (!/^\d{1,7}$/.test(options.limit)) throw new CommandError(2, `--limit ${options.limit} is not a number. Example: --limit 100`)
    const shortId = readShortId(given)
    const maxCount = Number(options.limit) || Infinity
    const { stdout, stderr, paint, isJson, signal } = context
    const results: KeptResult[] = []
    let isCut = false
    try {
      for await (const result of openClient(context).results.list(shortId, { limit: 100, signal })) {
        isCut = results.length === maxCount
        if (isCut) break
        results.push(result)
      }
    } catch (error) {
      if (signal.aborted) return 1
      throw toCommandError(error)
    }
    if (isJson) {
      stdout.write(`${JSON.stringify({ items: results })}\n`)
      return 0
    }
    const columns = [
      { name: 'run', isNumber: false, isNeverCut: true },
      { name: 'at', isNumber: false, isNeverCut: true },
      { name: 'rows', isNumber: true },
      { name: 'bytes', isNumber: true },
      { name: 'pinned', isNumber: false },
    ]
    const rows = results.map(({ runId, at, rowCount, sizeBytes, isPinned }) => [runId, at, rowCount, sizeBytes, isPinned ? 'yes' : ''])
    const width = stdout.isTTY ? (stdout.columns ?? 80) : undefined
    if (results.length > 0) stdout.write(drawTable({ columns, rows, width, paint: paint.stdout }).text)
    else stderr.write('No kept results yet. They appear after the next run.\n')
    if (isCut) stderr.write(`${paint.stderr.dim(`Showing the first ${maxCount}. Use --limit 0 to list all.`)}\n`)
    return 0
  },
})
