import { abortAfter, type Clock } from '../../ports/clock.ts'
import { type Email, type Mail, MailError } from '../../ports/mail.ts'
import { oneLine } from '../notifications/notification-emails.ts'
import { shortened } from '../shortened.ts'

/** E-mails with links. They are sent immediately rather than queued: a link that arrives hours later may have expired. */

const deadlineMs = 20_000
const subjectMaxCharacters = 120

export function invitationEmail(options: {
  id: string
  to: string
  organizationName: string
  invitedByName: string
  url: string
}): Email {
  const { id, to, organizationName, invitedByName, url } = options
  return {
    id,
    to,
    subject: shortened(`Join ${oneLine(organizationName)} on Querypost`, subjectMaxCharacters),
    text: [
      `${oneLine(invitedByName)} invited you to join ${oneLine(organizationName)} on Querypost.`,
      url,
      'The link works once and expires in 7 days. If you did not expect this e-mail, you can ignore it.',
    ].join('\n\n'),
  }
}

export function passwordResetEmail(options: { id: string; to: string; url: string }): Email {
  const { id, to, url } = options
  return {
    id,
    to,
    subject: 'Choose a new password for Querypost',
    text: [
      'Someone, most likely you, requested a new password for your Querypost account.',
      url,
      'The link works once and expires in one hour. If you did not request it, ignore this e-mail; your password stays the same.',
    ].join('\n\n'),
  }
}

/** Null if the mail server accepted it, else the server's answer. */
export async function sendEmail(deps: { clock: Clock; mail: Mail }, message: Email): Promise<string | null> {
  const deadline = abortAfter(deps.clock, deadlineMs)
  try {
    await deps.mail.send(message, deadline.signal)
    return null
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    return error.message
  } finally {
    deadline.cancel()
  }
}
