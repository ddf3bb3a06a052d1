import { defineResourceCommand } from '../resources/resource-command.ts'

export const command = defineResourceCommand(
  {
    nouns: 'databases',
    list: (client, options) => client.databases.list(options),
    get: (client, id, options) => client.databases.get(id, options),
    columns: [{ name: 'id', isNeverCut: true }, { name: 'engine' }, { name: 'tableCount', isNumber: true }, { name: 'name' }],
    fields: {},
  },
  {
    description: 'Shows the databases that queries run against, without their connection settings.',
    examples: [
      { line: 'querypost databases list', description: 'list databases with their ids' },
      { line: 'querypost databases get db_4k2n --json', description: 'print one as JSON' },
    ],
  },
)
