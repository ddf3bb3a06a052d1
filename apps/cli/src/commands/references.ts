import { defineResourceCommand } from '../resources/resource-command.ts'

export const command = defineResourceCommand(
  {
    nouns: 'saved queries',
    list: (client, options) => client.savedQueries.list(options),
    get: (client, shortId, options) => client.savedQueries.get(shortId, options),
    create: (client, body, options) => client.savedQueries.create(body, options),
    update: (client, shortId, body, options) => client.savedQueries.update(shortId, body, options),
    delete: (client, shortId, options) => client.savedQueries.delete(shortId, options),
    columns: [{ name: 'shortId', isNeverCut: true }, { name: 'title' }, { name: 'updatedAt' }],
    fields: {
      title: { path: 'title', value: 'text', description: 'the title' },
      sql: { path: 'sql', value: 'sql', description: 'the SQL, or @file' },
      database: { path: 'analyticalDatabaseConfigId', value: 'id', description: 'the database to run it against' },
      description: { path: 'description', value: 'text', description: 'what it shows, or @file' },
      folder: { path: 'folderId', value: 'id', description: 'the folder to put it in' },
    },
  },
  {
    description:
      'Manages saved queries. Options set single fields; charts and parameters are part of --data, in the form of the API. A query that is in use is not deleted.',
    examples: [
      { line: 'querypost references create --title Orders --sql @orders.sql --database db_4k2n', description: 'save a query' },
      { line: 'querypost references update k7Rm2QwXn4 --sql @orders.sql --if-version 3', description: 'replace its SQL unless someone else did' },
      { line: 'querypost references list --limit 0 --json', description: 'list all of them as JSON' },
      { line: 'querypost references delete k7Rm2QwXn4', description: 'delete one' },
    ],
  },
)
