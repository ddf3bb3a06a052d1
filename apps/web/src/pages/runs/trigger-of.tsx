import { MessageSquareText } from 'lucide-react'
import type { Run } from '../../api/runs.ts'
import { paths } from '../../paths.ts'
import { TextLink } from '../../ui/text-link.tsx'

const fallbackNames: Record<Run['triggeredBy']['kind'], string> = {
  user: 'Former member',
  key: 'API key',
  automation: 'Automation',
  chat: 'Question in a chat',
  link: 'Public link',
  embed: 'Embedded page',
}

/** Who or what started a run, with a link to the chat if an agent did. */
export function TriggerOf({ trigger }: { trigger: Run['triggeredBy'] }) {
  const { kind, name, automationId, chatShortId } = trigger
  const label = name ?? fallbackNames[kind]
  if (chatShortId === null) return <>{kind === 'key' && name !== null ? `API key ${name}` : label}</>
  const chat = (
    <TextLink href={paths.chat(chatShortId)}>
      <MessageSquareText className="mr-1 inline size-3.5 align-[-2px]" aria-hidden="true" />
      {automationId === null ? label : 'Chat'}
    </TextLink>
  )
  if (automationId === null) return chat
  return <span className="flex flex-wrap gap-x-3"><TextLink href={paths.automation(automationId)}>{label}</TextLink>{chat}</span>
}
