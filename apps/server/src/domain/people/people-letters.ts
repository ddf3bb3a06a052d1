import { abortAfter, type Clock } from '../../ports/clock.ts'
import { type Letter, type Mail, MailError } from '../../ports/mail.ts'
import { oneLine } from '../notifications/notification-letters.ts'
import { shortened } from '../shortened.ts'

/** Letters with links in them. They are sent at once and not from the queue: a link that comes hours later is too old. */

const deadlineMs = 20_000
const subjectMaxCharacters = 120

export function invitationLetter(options: {
  id: string
  to: string
  organizationName: string
  invitedByName: string
  url: string
}): Letter {
  const { id, to, organizationName, invitedByName, url } = options
  return {
    id,
    to,
    subject: shortened(`Join ${oneLine(organizationName)} on Querypost`, subjectMaxCharacters),
    text: [
      `${oneLine(invitedByName)} invites you to join ${oneLine(organizationName)} on Querypost.`,
      url,
      'The link works once, for 7 days. If you do not know what this is about, you need not do anything.',
    ].join('\n\n'),
  }
}

export function passwordResetLetter(options: { id: string; to: string; url: string }): Letter {
  const { id, to, url } = options
  return {
    id,
    to,
    subject: 'Choose a new password for Querypost',
    text: [
      'Somebody, most likely you, asked for a new password for your Querypost account.',
      url,
      'The link works once, for one hour. If it was not you, you need not do anything: your password stays as it is.',
    ].join('\n\n'),
  }
}

/** Null when the mail server took it, else what it said. */
export async function sendLetter(deps: { clock: Clock; mail: Mail }, letter: Letter): Promise<string | null> {
  const deadline = abortAfter(deps.clock, deadlineMs)
  try {
    await deps.mail.send(letter, deadline.signal)
    return null
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    return error.message
  } finally {
    deadline.cancel()
  }
}
