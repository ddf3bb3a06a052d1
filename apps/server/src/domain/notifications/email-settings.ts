import { abortAfter, type Clock } from '../../ports/clock.ts'
import { type Mail, MailError } from '../../ports/mail.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import { findEmailSettings, setEmailEnabled } from '../../store/notifications/email-settings-table.ts'
import { newId } from '../ids.ts'
import { requireAdmin } from '../access/require-admin.ts'
import type { Caller } from '../../model/caller.ts'
import { notificationsUrl } from './notification-letters.ts'

export interface EmailSettings {
  /** Whether the person wants notifications by e-mail too. It is the person's, the same in all organizations. */
  emailEnabled: boolean
  /** Whether the operator has set up a mail server. */
  canSendMail: boolean
  email: string
}

export async function getEmailSettings(
  deps: { db: Db; mail: Mail | null },
  caller: Pick<Caller, 'userId'>,
): Promise<EmailSettings> {
  const settings = await findEmailSettings(deps.db, caller.userId)
  if (!settings) throw new Error('A caller does not exist.')
  return { ...settings, canSendMail: deps.mail !== null }
}

/** What is waiting to be sent is not sent any more when e-mails are switched off. */
export async function editEmailSettings(
  deps: { db: Db; mail: Mail | null },
  caller: Pick<Caller, 'userId'>,
  change: { emailEnabled?: boolean },
): Promise<EmailSettings> {
  if (change.emailEnabled !== undefined) await setEmailEnabled(deps.db, caller.userId, change.emailEnabled)
  return getEmailSettings(deps, caller)
}

/** Shorter than what a letter from the queue gets: somebody waits for the answer. */
const testDeadlineMs = 20_000

const noServer =
  'No mail server is set up. Whoever operates this service sets SMTP_URL and SMTP_FROM, and starts it anew.'

/** One letter to the caller, now, to see whether the mail server works. What it answers is for the admin to read. */
export async function sendTestLetter(
  deps: { db: Db; clock: Clock; random: Random; mail: Mail | null; baseUrl: string },
  caller: Caller,
): Promise<{ ok: true } | { ok: false; message: string }> {
  requireAdmin(caller)
  const { email } = await getEmailSettings(deps, caller)
  if (!deps.mail) return { ok: false, message: noServer }
  const deadline = abortAfter(deps.clock, testDeadlineMs)
  const text = `Querypost can send you e-mails.\n\n${notificationsUrl(deps.baseUrl)}`
  try {
    const letter = { id: newId(deps.random, 'ntf'), to: email, subject: 'A test of e-mails', text }
    await deps.mail.send(letter, deadline.signal)
    return { ok: true }
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    return { ok: false, message: `The letter to ${email} was not sent: ${error.message}` }
  } finally {
    deadline.cancel()
  }
}
