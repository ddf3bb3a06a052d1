import { Paperclip } from 'lucide-react'
import type { ReportMessage, ReportPreview } from '../../../api/reports.ts'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { fileSize } from '../../../ui/file-size.ts'
import { EmailFrame } from './email-frame.tsx'
import { SlackMessage } from './messages/slack-message.tsx'
import { TeamsCard } from './messages/teams-card.tsx'

/** A report as it arrives, made of the same content that is sent. */
export function RenderedView({ rendered }: { rendered: ReportPreview['rendered'] }) {
  const { document, message, attachments } = rendered
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {message.kind === 'email' && (
        <div>
          <p className="font-medium [overflow-wrap:anywhere]">{document.title}</p>
          <p className="truncate text-xs text-soft">{document.preview}</p>
        </div>
      )}
      <MessageView message={message} />
      {/* Slack shows its files in the message. */}
      {message.kind === 'email' && attachments.length > 0 && (
        <ul className="flex flex-wrap gap-2" aria-label="Attachments">
          {attachments.map(({ fileName, sizeBytes }) => (
            <li key={fileName} className="flex items-center gap-1.5 rounded-md bg-raised px-2 py-1 text-xs">
              <Paperclip className="size-3.5 text-soft" aria-hidden="true" />
              {fileName} <span className="text-soft">{fileSize(sizeBytes)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function MessageView({ message }: { message: ReportMessage }) {
  switch (message.kind) {
    case 'email':
      return <EmailFrame title="Report" html={message.html} />
    case 'slack':
      return <SlackMessage {...message} />
    case 'teams':
      return <TeamsCard card={message.card} />
    case 'webhook':
      return <CodeBlock label="Event" text={JSON.stringify(JSON.parse(message.body), null, 2)} isWrapped />
  }
}
