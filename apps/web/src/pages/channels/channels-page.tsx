import { useQuery } from '@tanstack/react-query'
import { Mail, Plus, Send } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type Channel, type ChannelList, channelsOptions } from '../../api/channels.ts'
import { useSession } from '../../api/session.ts'
import { documentation } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Hint } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { AddChannelDialog } from './add-channel-dialog.tsx'
import { answersQuestions } from './channel-kinds.ts'
import { ChannelRow } from './channel-row.tsx'
import { SlackConnectionDialog } from './slack-connection-dialog.tsx'
import { TestChannelDialog } from './test-channel-dialog.tsx'

/** `/settings/channels`: where reports can be sent. Members can view the channels, admins can change them. */
export function ChannelsPage() {
  useTitle('Channels')
  const { organization, role } = useSession()
  const query = useQuery(channelsOptions)
  const [isAdding, setIsAdding] = useState(false)
  const [added, setAdded] = useState<Channel>()
  const [connecting, setConnecting] = useState<Channel>()
  const isAdmin = role === 'admin'
  const finish = (channel: Channel) => {
    setAdded(undefined)
    if (answersQuestions(channel)) setConnecting(channel)
  }
  const add = isAdmin ? <Button kind="primary" icon={<Plus />} onClick={() => setIsAdding(true)}>Add channel</Button> : undefined
  return (
    <div className="grid max-w-3xl gap-6 [&>.page-head]:mb-0">
      <PageHead title="Channels" description="Where automations send their reports." actions={query.data?.items.length ? add : undefined} />
      {!isAdmin && <Hint>Only admins can change channels. Ask an admin of {organization.name}.</Hint>}
      <Loaded query={query}>
        {(list) => (
          <>
            <EmailCard isEnabled={list.isEmailEnabled} />
            <Channels list={list} isAdmin={isAdmin} add={add} />
            {isAdding && (
              <AddChannelDialog
                kinds={list.kinds}
                onAdded={(channel) => {
                  setIsAdding(false)
                  setAdded(channel)
                }}
                onClose={() => setIsAdding(false)}
              />
            )}
            {added && <TestChannelDialog channel={added} isChanged onClose={() => finish(added)} />}
            {connecting && <SlackConnectionDialog channel={connecting} onClose={() => setConnecting(undefined)} />}
          </>
        )}
      </Loaded>
    </div>
  )
}

function EmailCard({ isEnabled }: { isEnabled: boolean }) {
  return (
    <Card className="flex flex-wrap items-center gap-3 px-4 py-3">
      <Mail className="size-4 shrink-0 text-soft" aria-hidden="true" />
      <div className="mr-auto min-w-0">
        <p className="font-medium">E-mail</p>
        <p className="text-soft">
          {isEnabled
            ? 'To members, and to other addresses once they confirm.'
            : 'This service has no mail server. Ask the operator to set one up.'}{' '}
          <TextLink href={documentation.emailReports}>Learn more</TextLink>
        </p>
      </div>
      <Badge color={isEnabled ? 'good' : 'plain'}>{isEnabled ? 'Ready' : 'Not set up'}</Badge>
    </Card>
  )
}

function Channels({ list, isAdmin, add }: { list: ChannelList; isAdmin: boolean; add: ReactNode }) {
  if (list.items.length === 0) {
    return (
      <Card>
        <EmptyState title="No channels yet" icon={<Send />} action={add}>
          <p>Add Slack, Microsoft Teams or a webhook, and automations can send reports there.</p>
        </EmptyState>
      </Card>
    )
  }
  return (
    <Card>
      <ul className="divide-y divide-line" aria-label="Channels">
        {list.items.map((channel) => <ChannelRow key={channel.id} channel={channel} isAdmin={isAdmin} />)}
      </ul>
    </Card>
  )
}
