import { CommandError, defineCommand } from '../command.ts'

export const command = defineCommand({
  usage: '<e-mail>',
  description:
    'Prints a link for choosing a new password. The link works once, within an hour. Use it where the service can’t send e-mail.\n' +
    'Run it with the settings of the service. If the service uses the embedded store, stop it first.',
  examples: [{ line: 'querypost reset-password jane@example.com', description: 'print a link for Jane' }],
  options: {},
  common: [],
  async run({ environment }, { operands }) {
    const [email, ...rest] = operands
    if (!email || rest.length > 0) {
      throw new CommandError(2, 'Name the e-mail address of the account: querypost reset-password jane@example.com')
    }
    const { resetPassword } = await import('@querypost/server/service')
    await resetPassword(environment, email)
    return 0
  },
})
