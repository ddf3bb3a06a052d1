import { CommandError, defineCommand } from '../command.ts'

export const command = defineCommand({
  usage: '<e-mail>',
  description:
    'Removes the second factor of an account and ends its sessions, for someone who has lost the app and the recovery codes and whom no\n' +
    'admin can help. Run it with the settings of the service. If the service uses the embedded store, stop it first.',
  examples: [{ line: 'querypost reset-second-factor jane@example.com', description: 'let Jane sign in with her password alone' }],
  options: {},
  common: [],
  async run({ environment }, { operands }) {
    const [email, ...rest] = operands
    if (!email || rest.length > 0) {
      throw new CommandError(2, 'Name the e-mail address of the account: querypost reset-second-factor jane@example.com')
    }
    const { resetSecondFactor } = await import('@querypost/server/service')
    await resetSecondFactor(environment, email)
    return 0
  },
})
