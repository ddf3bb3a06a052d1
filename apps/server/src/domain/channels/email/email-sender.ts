import { type Mail, MailError } from '../../../ports/mail.ts'
import { withEllipsis } from '../../../ports/cut-text.ts'
import type { ChannelSender, OutgoingReport } from '../channel-sender.ts'
import { composeReportEmail } from './compose-email.ts'

const detailMaxCharacters = 300

/**
 * Sends reports by e-mail. The address takes the place of the channel: if the mail server says that it does not exist, the outcome is
 * `isChannelBroken`, and nothing else needs to be sent to it.
 */
export function makeEmailSender(deps: { mail: Mail }): ChannelSender {
  return {
    async send(report, signal) {
      if (!isForEmail(report)) throw new Error('a report for a channel was given to the e-mail sender')
      try {
        await deps.mail.send(composeReportEmail(report), signal)
        return { kind: 'sent' }
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof MailError)) throw error
        const detail = withEllipsis(error.message, detailMaxCharacters)
        if (!error.isFinal) return { kind: 'refused_for_now', detail }
        return { kind: 'refused_for_good', detail, isChannelBroken: error.isRecipient }
      }
    },
  }
}

const isForEmail = (report: OutgoingReport): report is OutgoingReport & { to: { kind: 'email' } } => report.to.kind === 'email'
