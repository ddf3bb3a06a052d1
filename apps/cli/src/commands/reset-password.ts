import { Complaint, defineCommand } from '../command.ts'

export const command = defineCommand({
  usage: '<e-mail>',
  description:
    'Prints a link by which that person chooses another password, once, within an hour: the operator’s way where no mail can be sent.\n' +
    'It uses the settings of the service. On the embedded store the service must be stopped meanwhile.',
  examples: [{ line: 'querypost reset-password jane@example.com', does: 'for Jane' }],
  options: {},
  common: [],
  async run({ environment }, { operands }) {
    const [email, ...rest] = operands
    if (!email || rest.length > 0) throw new Complaint(2, 'Say whose password: querypost reset-password jane@example.com')
    const { resetPassword } = await import('@querypost/server/service')
    await resetPassword(environment, email)
    return 0
  },
})
