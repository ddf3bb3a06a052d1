import { CommandError, defineCommand } from '../command.ts'
import { readShortId } from '../query/find-query.ts'
import { openClient } from '../service-client.ts'
import { limitOption, readFirst, readLimit, writeList } from '../write-list.ts'

export const command = defineCommand({
  usage: '<permalink | shortId>',
  description: 'Lists the kept results of a saved query, newest first.',
  examples: [
    { line: 'querypost results list k7Rm2QwXn4', description: 'list the 50 newest' },
    { line: 'querypost results list k7Rm2QwXn4 --limit 0 --json', description: 'list all of them as JSON' },
  ],
  options: limitOption,
  async run(context, { operands, options }) {
    const [given, ...rest] = operands
    if (given === undefined || rest.length > 0) throw new CommandError(2, 'Name one query by its permalink or short id.')
    const maxCount = readLimit(options.limit)
    const list = openClient(context).results.list(readShortId(given), { limit: 100, signal: context.signal })
    const found = await readFirst(context, list, maxCount)
    if (!found) return 1
    writeList(context, found, {
      columns: [
        { name: 'run', isNumber: false, isNeverCut: true },
        { name: 'at', isNumber: false, isNeverCut: true },
        { name: 'rows', isNumber: true },
        { name: 'bytes', isNumber: true },
        { name: 'pinned', isNumber: false },
      ],
      rowOf: ({ runId, at, rowCount, sizeBytes, isPinned }) => [runId, at, rowCount, sizeBytes, isPinned ? 'yes' : ''],
      whenEmpty: 'No kept results yet. They appear after the next run.',
    })
    return 0
  },
})
