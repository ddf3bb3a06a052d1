import { defineResourceCommand } from '../resources/resource-command.ts'

export const command = defineResourceCommand(
  {
    nouns: 'automations',
    list: (client, options) => client.automations.list(options),
    get: (client, id, options) => client.automations.get(id, options),
    create: (client, body, options) => client.automations.create(body, options),
    update: (client, id, body, options) => client.automations.update(id, body, options),
    delete: (client, id, options) => client.automations.delete(id, options),
    columns: [{ name: 'id', isNeverCut: true }, { name: 'name' }, { name: 'enabled' }, { name: 'nextDueAt' }],
    fields: {
      name: { path: 'name', value: 'text', description: 'the name' },
      instructions: { path: 'instructions', value: 'text', description: 'what to report, or @file' },
      reference: { path: 'references', value: 'shortId', description: 'a saved query to report on; repeat for more', multiple: true },
      cron: { path: 'schedule.cron', value: 'cron', description: 'when to run, together with --time-zone' },
      'time-zone': { path: 'schedule.timeZone', value: 'name', description: 'for example Europe/Berlin' },
      agent: { path: 'agent', value: 'digest | model', description: 'who writes the report' },
    },
  },
  {
    description: 'Manages automations. Conditions, and whether they are enabled, are part of --data, in the form of the API.',
    examples: [
      {
        line: "querypost automations create --name Daily --instructions 'Say what changed.' --reference k7Rm2QwXn4 --cron '0 8 * * *' --time-zone Europe/Berlin",
        description: 'report on a query every morning',
      },
      { line: `querypost automations update automation_8d2r --data '{"enabled": false}'`, description: 'pause it' },
    ],
  },
)
