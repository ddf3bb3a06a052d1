import { Hash, MessagesSquare, Webhook } from 'lucide-react'
import type { ComponentType } from 'react'
import type { ChannelKind } from '../../api/channels.ts'

const icons: Record<ChannelKind, ComponentType<{ className?: string }>> = { slack_webhook: Hash, slack_bot: Hash, teams: MessagesSquare, webhook: Webhook }

export function ChannelIcon({ kind }: { kind: ChannelKind }) {
  const Icon = icons[kind]
  return <Icon className="size-4 shrink-0 text-soft" aria-hidden="true" />
}
