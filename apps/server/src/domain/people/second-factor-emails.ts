import type { AuditAction } from '../../model/audit-action.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Mail } from '../../ports/mail.ts'
import type { Random } from '../../ports/random.ts'
import { newId } from '../ids.ts'
import type { PendingJobs } from './pending-jobs.ts'
import { sendEmail } from './people-emails.ts'

export type SecondFactorChange = Extract<AuditAction, `second_factor.${string}`>

const texts: Record<SecondFactorChange, { subject: string; text: string }> = {
  'second_factor.turned_on': {
    subject: 'Second factor turned on',
    text: 'A second factor was turned on for your Querypost account. You were signed out on all other devices.',
  },
  'second_factor.turned_off': {
    subject: 'Second factor turned off',
    text: 'The second factor of your Querypost account was turned off. From now on, your password is enough to sign in.',
  },
  'second_factor.recovery_codes_replaced': {
    subject: 'New recovery codes',
    text: 'New recovery codes were created for your Querypost account. The old ones no longer work.',
  },
  'second_factor.recovery_code_used': {
    subject: 'Recovery code used',
    text: 'Someone signed in to your Querypost account with your password and one of your recovery codes.',
  },
  'second_factor.reset': {
    subject: 'Second factor removed by an administrator',
    text: 'An administrator removed the second factor of your Querypost account and signed you out.',
  },
}

const advice = 'If this wasn’t you, or you didn’t ask for it, change your password and tell an admin of your organization.'

/** After the response: a slow mail server delays nobody. */
export function sendSecondFactorEmail(
  deps: { clock: Clock; random: Random; mail: Mail | null; pendingJobs: PendingJobs },
  { to, change }: { to: string; change: SecondFactorChange },
): void {
  const { mail } = deps
  if (!mail) return
  const { subject, text } = texts[change]
  deps.pendingJobs.start('sending an e-mail about a second factor', async () => {
    const message = { id: newId(deps.random, 'ntf'), to, subject: `${subject} for Querypost`, text: `${text}\n\n${advice}` }
    const fault = await sendEmail({ clock: deps.clock, mail }, message)
    if (fault !== null) throw new Error(`The mail server rejected the e-mail: ${fault}`)
  })
}
