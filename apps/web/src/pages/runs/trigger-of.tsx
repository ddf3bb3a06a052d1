import { MessageSquareText } from 'lucide-react'
import type { Run } from '../../api/runs.ts'
import { paths } from '../../paths.ts'
import { TextLink } from '../../ui/text-link.tsx'

const unknown: Record<Run['triggeredBy']['kind'], string> = {
  user: 'Somebody who has left',
  key: 'A program',
  automation: 'An automation',
  chat: 'A question in a chat',
}

/** What caused a run; where an agent did, the way to the chat that tells of it. */
export function TriggerOf({ trigger }: { trigger: Run['triggeredBy'] }) {
  const { kind, name, automationId, chatShortId } = trigger
  const words = name ?? unknown[kind]
  if (chatShortId === null) return <>{kind === 'key' && name !== null ? `API key ${name}` : words}</>
  const chat = (
    <TextLink href={paths.chat(chatShortId)}>
      <MessageSquareText className="mr-1 inline size-3.5 align-[-2px]" aria-hidden="true" />
      {automationId === null ? words : 'Chat'}
    </TextLink>
  )
  if (automationId === null) return chat
  return <span className="flex flex-wrap gap-x-3"><TextLink href={paths.automation(automationId)}>{words}</TextLink>{chat}</span>
}
