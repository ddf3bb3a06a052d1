import { CommandError, defineCommand } from '../command.ts'

export const command = defineCommand({
  usage: '',
  description:
    'Brings the schema of the store up to date, without starting the service. Starting the service does the same; use this\n' +
    'command to migrate in a step of its own, before new processes start. Run it with the settings of the service. If the\n' +
    'service uses the embedded store, stop it first.',
  examples: [{ line: 'DATABASE_URL=postgres://… querypost migrate', description: 'migrate before new processes start' }],
  options: {},
  common: [],
  async run({ environment }, { operands }) {
    if (operands.length > 0) throw new CommandError(2, `${operands[0]} is one argument too many.`)
    const { migrateSchema } = await import('@querypost/server/service')
    await migrateSchema(environment)
    return 0
  },
})
