import { defineResourceCommand } from '../resources/resource-command.ts'

export const command = defineResourceCommand(
  {
    nouns: 'metrics',
    list: (client, options) => client.metrics.list(options),
    get: (client, id, options) => client.metrics.get(id, options),
    create: (client, body, options) => client.metrics.create(body, options),
    // A change of a metric names its version; by default the current one.
    update: async (client, id, body, { version, signal }) =>
      client.metrics.replace(id, body, { signal, version: version ?? (await client.metrics.get(id, { signal })).version }),
    delete: (client, id, { signal }) => client.metrics.delete(id, { signal }),
    columns: [{ name: 'id', isNeverCut: true }, { name: 'version', isNumber: true }, { name: 'name' }, { name: 'unit' }],
    fields: {
      name: { path: 'name', value: 'text', description: 'the name' },
      description: { path: 'description', value: 'text', description: 'what it counts, or @file' },
    },
  },
  {
    description: 'Manages the definitions of metrics, with the key of an admin. An update replaces all fields.',
    examples: [
      { line: 'querypost metrics create --data @revenue.json', description: 'define a metric' },
      { line: 'querypost metrics list', description: 'list metrics with their ids' },
    ],
  },
)
