import { CommandError, defineCommand } from '../command.ts'
import { openClient } from '../service-client.ts'
import { readFirst, writeList } from '../write-list.ts'

export const command = defineCommand({
  usage: '',
  description: 'Lists the newest import of each dbt project.',
  examples: [
    { line: 'querypost dbt list', description: 'list all imports' },
    { line: 'querypost dbt list --json', description: 'list them as JSON' },
  ],
  options: {},
  async run(context, { operands }) {
    if (operands.length > 0) throw new CommandError(2, `${operands[0]} is one argument too many.`)
    const found = await readFirst(context, openClient(context).dbt.list({ limit: 100, signal: context.signal }))
    if (!found) return 1
    writeList(context, found, {
      columns: [
        { name: 'project', isNumber: false, isNeverCut: true },
        { name: 'database', isNumber: false, isNeverCut: true },
        { name: 'tables', isNumber: true },
        { name: 'metrics', isNumber: true },
        { name: 'imported', isNumber: false },
      ],
      rowOf: ({ project, databaseId, tableCount, metrics, importedAt }) => [project, databaseId, tableCount, metrics.length, importedAt],
      whenEmpty: 'No dbt projects yet. Import one with `querypost dbt import`.',
    })
    return 0
  },
})
