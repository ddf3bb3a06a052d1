import { Lightbulb } from 'lucide-react'
import { useState } from 'react'
import type { Chat, MarkdownMessage } from '../../../api/chats.ts'
import { Button } from '../../../ui/button.tsx'
import { SuggestDialog } from '../../knowledge/suggest-dialog.tsx'
import { proposedLine } from './proposed-line.ts'

/** Opens a form with a line for agents to know, proposed in the reader's own words. */
export function TeachButton({ chat, answer, question }: { chat: Chat; answer: MarkdownMessage; question: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button kind="ghost" size="small" icon={<Lightbulb />} onClick={() => setIsOpen(true)}>Teach</Button>
      {isOpen && (
        <SuggestDialog
          initialText={proposedLine(chat, answer)}
          about={{ chat: { shortId: chat.shortId, messageNumber: answer.number }, question }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}
