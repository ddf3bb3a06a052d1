import { defineResourceCommand } from '../resources/resource-command.ts'

export const command = defineResourceCommand(
  {
    nouns: 'boards',
    list: (client, options) => client.boards.list(options),
    get: (client, shortId, options) => client.boards.get(shortId, options),
    create: (client, body, options) => client.boards.create(body, options),
    // A change of a board names its version; by default the current one.
    update: async (client, shortId, body, { version, signal }) =>
      client.boards.update(shortId, body, { signal, version: version ?? (await client.boards.get(shortId, { signal })).version }),
    delete: async (client, shortId, { version, signal }) =>
      client.boards.delete(shortId, { signal, version: version ?? (await client.boards.get(shortId, { signal })).version }),
    columns: [{ name: 'shortId', isNeverCut: true }, { name: 'version', isNumber: true }, { name: 'title' }],
    fields: {
      title: { path: 'title', value: 'text', description: 'the title' },
      description: { path: 'description', value: 'text', description: 'what it shows, or @file' },
      folder: { path: 'folderId', value: 'id', description: 'the folder to put it in' },
    },
  },
  {
    description:
      'Creates, changes and deletes boards. Tiles, tabs and parameters are part of --data, in the form of the API. `querypost board` shows and refreshes them.',
    examples: [
      { line: 'querypost boards get b7Rm2QwXn4 --json > board.json', description: 'save a board as JSON' },
      { line: 'querypost boards create --title Revenue --data @tiles.json', description: 'create a board with tiles' },
      { line: 'querypost boards update b7Rm2QwXn4 --title Revenue --if-version 3', description: 'rename it unless someone else has changed it' },
    ],
  },
)
