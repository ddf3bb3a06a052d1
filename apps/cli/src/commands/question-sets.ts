import { defineResourceCommand } from '../resources/resource-command.ts'

export const command = defineResourceCommand(
  {
    nouns: 'question sets',
    list: (client, options) => client.questionSets.list(options),
    get: (client, id, options) => client.questionSets.get(id, options),
    create: (client, body, options) => client.questionSets.create(body, options),
    update: (client, id, body, options) => client.questionSets.replace(id, body, options),
    delete: (client, id, options) => client.questionSets.delete(id, options),
    columns: [{ name: 'id', isNeverCut: true }, { name: 'questionCount', isNumber: true }, { name: 'name' }],
    fields: { name: { path: 'name', value: 'text', description: 'the name' } },
  },
  {
    description: 'Manages question sets, with the key of an admin. An update replaces all fields. `querypost eval` evaluates them.',
    examples: [
      { line: 'querypost question-sets create --data @questions.json', description: 'create a question set' },
      { line: 'querypost question-sets get qset_2m8v --json', description: 'print its questions' },
    ],
  },
)
