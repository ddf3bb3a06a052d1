import { defineResourceCommand } from '../resources/resource-command.ts'

export const command = defineResourceCommand(
  {
    nouns: 'folders',
    list: (client, options) => client.folders.list(options),
    create: (client, body, options) => client.folders.create(body, options),
    update: (client, folderId, body, options) => client.folders.update(folderId, body, options),
    delete: (client, folderId, options) => client.folders.delete(folderId, options),
    columns: [{ name: 'id', isNeverCut: true }, { name: 'name' }, { name: 'parentId' }],
    fields: {
      name: { path: 'name', value: 'text', description: 'the name' },
      parent: { path: 'parentId', value: 'id', description: 'the folder to put it in' },
    },
  },
  {
    description: 'Manages the folders of saved queries and boards. Only empty folders are deleted.',
    examples: [
      { line: 'querypost folders create --name Finance', description: 'create a folder' },
      { line: 'querypost folders list', description: 'list folders with their ids' },
    ],
  },
)
