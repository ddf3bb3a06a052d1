import type { Email } from '../../../ports/mail.ts'
import { shortened } from '../../shortened.ts'
import { oneLine } from '../../notifications/notification-emails.ts'
import type { OutgoingReport } from '../channel-sender.ts'
import { contentIdOf, renderEmailHtml } from './render-html.ts'
import { renderEmailText } from './render-text.ts'

const subjectMaxCharacters = 120

/** The e-mail of a report: HTML with its images, the same as plain text, the attachments, and how to unsubscribe with one click. */
export function composeReportEmail(report: OutgoingReport & { to: { kind: 'email' } }): Email {
  const { deliveryId, document, images, attachments, to } = report
  const { unsubscribeUrl } = to
  const html = renderEmailHtml(document, { unsubscribeUrl })
  const shown = document.sections.flatMap((section) => (section.kind === 'chart' ? [section.imageId] : []))
  const inline = [...new Set(shown)]
    // Images of sections that did not fit would appear as attachments.
    .filter((imageId) => html.includes(`cid:${contentIdOf(imageId)}`))
    .flatMap((imageId, at) => {
      const bytes = images.get(imageId)
      return bytes ? [{ fileName: `chart-${at + 1}.png`, contentType: 'image/png', bytes, contentId: contentIdOf(imageId) }] : []
    })
  return {
    id: deliveryId,
    to: to.address,
    subject: shortened(oneLine(document.title), subjectMaxCharacters),
    text: renderEmailText(document, { unsubscribeUrl }),
    html,
    files: [...inline, ...attachments],
    // RFC 2369 and RFC 8058: mail programs show a button that unsubscribes by a POST, without opening a page.
    ...(unsubscribeUrl !== null && {
      headers: { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    }),
  }
}
