import { CommandError, defineCommand } from '../command.ts'
import { openClient, toCommandError } from '../service-client.ts'

export const command = defineCommand({
  usage: '<project>',
  description:
    'Forgets the descriptions and metrics that the import of a dbt project has written. What people have written stays. It needs the key of an admin.',
  examples: [{ line: 'querypost dbt delete shop --database db_4k2n', description: 'forget the project shop' }],
  options: {
    database: { type: 'string', value: 'id', description: 'the database whose tables the import describes' },
  },
  async run(context, { operands, options }) {
    const [project, ...others] = operands
    if (project === undefined) throw new CommandError(2, 'Name the project. `querypost dbt list` lists them.')
    if (others.length > 0) throw new CommandError(2, `${others[0]} is one argument too many.`)
    if (options.database === undefined) throw new CommandError(2, 'Name the database with --database. `querypost dbt list` lists them.')
    const { stdout, isJson, signal } = context
    try {
      const deleted = await openClient(context).dbt.delete({ databaseId: options.database, project }, { signal })
      stdout.write(isJson ? `${JSON.stringify(deleted)}\n` : `Deleted the import of ${deleted.project}, with ${deleted.tableCount} tables.\n`)
      return 0
    } catch (error) {
      if (signal.aborted) return 1
      throw toCommandError(error)
    }
  },
})
