import { abortAfter, type Clock } from '../../ports/clock.ts'
import { type Mail, MailError } from '../../ports/mail.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import { type EmailChoices, findEmailSettings, setEmailChoices } from '../../store/notifications/email-settings-table.ts'
import { newId } from '../ids.ts'
import { requireAdmin } from '../access/require-admin.ts'
import type { Caller } from '../../model/caller.ts'
import { notificationsUrl } from './notification-emails.ts'

/** What the person wants by e-mail applies to all their organizations. */
export interface EmailSettings extends EmailChoices {
  /** Whether the operator has set up a mail server. */
  canSendMail: boolean
  email: string
}

export async function getEmailSettings(
  deps: { db: Db; mail: Mail | null },
  caller: Pick<Caller, 'userId'>,
): Promise<EmailSettings> {
  const settings = await findEmailSettings(deps.db, caller.userId)
  if (!settings) throw new Error('The caller does not exist.')
  return { ...settings, canSendMail: deps.mail !== null }
}

/** Turning e-mail off also discards e-mails that are waiting to be sent. */
export async function editEmailSettings(
  deps: { db: Db; mail: Mail | null },
  caller: Pick<Caller, 'userId'>,
  change: Partial<EmailChoices>,
): Promise<EmailSettings> {
  await setEmailChoices(deps.db, caller.userId, change)
  return getEmailSettings(deps, caller)
}

/** Shorter than for queued e-mails, because someone is waiting for the answer. */
const testDeadlineMs = 20_000

const noServer =
  'No mail server is set up. The operator has to set SMTP_URL and SMTP_FROM, and restart the service.'

/** Sends an e-mail to the caller immediately, to test the mail server. The server's answer is shown to the admin. */
export async function sendTestEmail(
  deps: { db: Db; clock: Clock; random: Random; mail: Mail | null; baseUrl: string },
  caller: Caller,
): Promise<{ ok: true } | { ok: false; message: string }> {
  requireAdmin(caller)
  const { email } = await getEmailSettings(deps, caller)
  if (!deps.mail) return { ok: false, message: noServer }
  const deadline = abortAfter(deps.clock, testDeadlineMs)
  const text = `Querypost can send you e-mail.\n\n${notificationsUrl(deps.baseUrl)}`
  try {
    const message = { id: newId(deps.random, 'ntf'), to: email, subject: 'Querypost test e-mail', text }
    await deps.mail.send(message, deadline.signal)
    return { ok: true }
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    return { ok: false, message: `The e-mail to ${email} was not sent: ${error.message}` }
  } finally {
    deadline.cancel()
  }
}
