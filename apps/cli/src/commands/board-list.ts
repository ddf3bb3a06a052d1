import type { Board } from '@querypost/client'
import { CommandError, defineCommand } from '../command.ts'
import { openClient, toCommandError } from '../service-client.ts'
import { drawTable } from '../table.ts'

export const command = defineCommand({
  usage: '',
  description: 'Lists the boards of your organization, newest first, with their permalinks.',
  examples: [
    { line: 'querypost board list', description: 'list the 50 newest' },
    { line: 'querypost board list --limit 0 --json', description: 'list all boards as JSON' },
  ],
  options: {
    limit: { type: 'string', value: 'n', default: '50', description: 'show at most this many; 0 for all (default: 50)' },
  },
  async run(context, { operands, options }) {
    if (operands.length > 0) throw new CommandError(2, `${operands[0]} is one argument too many.`)
    if (!/^\d{1,7}$/.test(options.limit)) throw new CommandError(2, `--limit ${options.limit} is not a number. Example: --limit 100`)
    const maxCount = Number(options.limit) || Infinity
    const { stdout, stderr, paint, isJson, signal } = context
    const boards: Board[] = []
    let isCut = false
    try {
      for await (const board of openClient(context).boards.list({ limit: 100, signal })) {
        isCut = boards.length === maxCount
        if (isCut) break
        boards.push(board)
      }
    } catch (error) {
      if (signal.aborted) return 1
      throw toCommandError(error)
    }
    if (isJson) {
      stdout.write(`${JSON.stringify({ items: boards })}\n`)
      return 0
    }
    const columns = [
      { name: 'permalink', isNumber: false, isNeverCut: true },
      { name: 'tiles', isNumber: true },
      { name: 'title', isNumber: false },
    ]
    const rows = boards.map(({ permalink, tiles, title }) => [permalink, tiles.length, title])
    const width = stdout.isTTY ? (stdout.columns ?? 80) : undefined
    if (boards.length > 0) stdout.write(drawTable({ columns, rows, width, paint: paint.stdout }).text)
    else stderr.write('No boards yet.\n')
    if (isCut) stderr.write(`${paint.stderr.dim(`Showing the first ${maxCount}. Use --limit 0 to list all.`)}\n`)
    return 0
  },
})
