import type { DbtImport } from '@querypost/client'
import { CommandError, defineCommand } from '../command.ts'
import { openClient, toCommandError } from '../service-client.ts'
import { drawTable } from '../table.ts'

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
    const { stdout, stderr, paint, isJson, signal } = context
    try {
      const items: DbtImport[] = []
      for await (const item of openClient(context).dbt.list({ limit: 100, signal })) items.push(item)
      if (isJson) {
        stdout.write(`${JSON.stringify({ items })}\n`)
      } else if (items.length === 0) {
        stderr.write('No dbt projects yet. Import one with `querypost dbt import`.\n')
      } else {
        const columns = [
          { name: 'project', isNumber: false, isNeverCut: true },
          { name: 'database', isNumber: false, isNeverCut: true },
          { name: 'tables', isNumber: true },
          { name: 'metrics', isNumber: true },
          { name: 'imported', isNumber: false },
        ]
        const rows = items.map(({ project, databaseId, tableCount, metrics, importedAt }) => [project, databaseId, tableCount, metrics.length, importedAt])
        const width = stdout.isTTY ? (stdout.columns ?? 80) : undefined
        stdout.write(drawTable({ columns, rows, width, paint: paint.stdout }).text)
      }
      return 0
    } catch (error) {
      if (signal.aborted) return 1
      throw toCommandError(error)
    }
  },
})
