import { defineResourceCommand } from '../resources/resource-command.ts'

export const command = defineResourceCommand(
  {
    nouns: 'webhook endpoints',
    list: (client, options) => client.webhookEndpoints.list(options),
    get: (client, id, options) => client.webhookEndpoints.get(id, options),
    create: (client, body, options) => client.webhookEndpoints.create(body, options),
    update: (client, id, body, options) => client.webhookEndpoints.update(id, body, options),
    delete: (client, id, options) => client.webhookEndpoints.delete(id, options),
    columns: [{ name: 'id', isNeverCut: true }, { name: 'state' }, { name: 'url' }, { name: 'eventTypes' }],
    fields: {
      address: { path: 'url', value: 'url', description: 'the URL that receives events' },
      event: { path: 'eventTypes', value: 'type', description: 'a type of events to receive; repeat for more', multiple: true },
      description: { path: 'description', value: 'text', description: 'what it is for' },
    },
  },
  {
    description: 'Manages webhook endpoints, with the key of an admin. The secret that signs is printed only when an endpoint is created.',
    examples: [
      {
        line: 'querypost endpoints create --address https://app.example/hooks --event automation.run.completed',
        description: 'receive an event for every report',
      },
      { line: 'querypost endpoints list', description: 'list endpoints with their state' },
    ],
  },
)
