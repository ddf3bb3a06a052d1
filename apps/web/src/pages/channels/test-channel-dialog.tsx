import { useState } from 'react'
import { type Channel, sendTestMessage } from '../../api/channels.ts'
import { faultAt, messageOf } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Hint, Problem } from '../../ui/notice.tsx'
import { useAction } from '../../ui/use-action.ts'
import { aboutKinds, placeOf } from './channel-kinds.ts'
import { ConversationField } from './conversation-field.tsx'

/** Sends a message to a channel, and says what the receiver answered. `isChanged`: right after the channel was added or changed. */
export function TestChannelDialog({ channel, isChanged = false, onClose }: { channel: Channel; isChanged?: boolean; onClose(): void }) {
  const { id, kind, name } = channel
  const [conversation, setConversation] = useState('')
  const [isSent, setIsSent] = useState(false)
  const sending = useAction()
  const needsConversation = kind === 'slack_bot'
  const send = () =>
    sending.run(async () => {
      setIsSent(false)
      await sendTestMessage(id, needsConversation ? { conversation } : {})
      setIsSent(true)
    })
  const fault = faultAt(sending.error, '/conversation')
  return (
    <Dialog
      title="Send a test message"
      description={isChanged ? `“${name}” is saved. Check that messages arrive.` : `${aboutKinds[kind].label} “${name}”`}
      isOpen
      onOpenChange={onClose}
      footer={
        <>
          <Button onClick={onClose}>{isSent ? 'Done' : isChanged ? 'Not now' : 'Cancel'}</Button>
          <Button kind={isSent ? 'plain' : 'primary'} isBusy={sending.isBusy} disabled={needsConversation && conversation === ''} onClick={send}>
            {isSent ? 'Send another' : 'Send test message'}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {needsConversation && <ConversationField channelId={id} value={conversation} fault={fault} onChange={setConversation} />}
        {sending.error === undefined && !isSent && <p className="text-soft">It says that reports can be sent here{placeOf(channel) && `, and goes to ${placeOf(channel)}`}.</p>}
        {isSent && <div role="status"><Hint kind="good">Sent. Look for “Test message from Querypost”.</Hint></div>}
        {sending.error !== undefined && fault === undefined && <Problem title="The message was not accepted" message={messageOf(sending.error)} />}
      </div>
    </Dialog>
  )
}
