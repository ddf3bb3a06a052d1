import { CommandError, defineCommand } from '../command.ts'
import { openClient } from '../service-client.ts'
import { limitOption, readFirst, readLimit, writeList } from '../write-list.ts'

export const command = defineCommand({
  usage: '',
  description: 'Lists the boards of your organization, newest first, with their permalinks.',
  examples: [
    { line: 'querypost board list', description: 'list the 50 newest' },
    { line: 'querypost board list --limit 0 --json', description: 'list all boards as JSON' },
  ],
  options: limitOption,
  async run(context, { operands, options }) {
    if (operands.length > 0) throw new CommandError(2, `${operands[0]} is one argument too many.`)
    const maxCount = readLimit(options.limit)
    const found = await readFirst(context, openClient(context).boards.list({ limit: 100, signal: context.signal }), maxCount)
    if (!found) return 1
    writeList(context, found, {
      columns: [
        { name: 'permalink', isNumber: false, isNeverCut: true },
        { name: 'tiles', isNumber: true },
        { name: 'title', isNumber: false },
      ],
      rowOf: ({ permalink, tiles, title }) => [permalink, tiles.length, title],
      whenEmpty: 'No boards yet.',
    })
    return 0
  },
})
