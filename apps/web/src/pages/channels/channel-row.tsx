import { useQueryClient } from '@tanstack/react-query'
import { Ellipsis, FlaskConical, MessageCircleQuestionMark, Pencil, Power, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Channel, channelsOptions, deleteChannel, editChannel } from '../../api/channels.ts'
import { Badge } from '../../ui/badge.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Problem } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ChannelIcon } from './channel-icon.tsx'
import { aboutKinds, answersQuestions, placeOf } from './channel-kinds.ts'
import { EditChannelDialog } from './edit-channel-dialog.tsx'
import { SlackConnectionDialog } from './slack-connection-dialog.tsx'
import { TestChannelDialog } from './test-channel-dialog.tsx'

export function ChannelRow({ channel, isAdmin }: { channel: Channel; isAdmin: boolean }) {
  const { kind, name, state, disabledReason, failureCount, lastUsedAt } = channel
  const facts = [aboutKinds[kind].label, placeOf(channel), answersQuestions(channel) ? 'Answers questions' : undefined].filter((fact) => fact !== undefined)
  const switching = useAction()
  return (
    <li className="grid gap-2 px-4 py-3">
      <div className="flex items-center gap-3">
        <ChannelIcon kind={kind} />
        <div className="mr-auto min-w-0 [overflow-wrap:anywhere]">
          <p className="flex flex-wrap items-center gap-x-2 font-medium">
            {name}
            {state === 'disabled' && <Badge color="warning">Disabled</Badge>}
            {state === 'enabled' && failureCount > 0 && <Badge color="danger">{failureCount === 1 ? '1 failure' : `${failureCount} failures in a row`}</Badge>}
          </p>
          <p className="text-xs text-soft">
            {facts.join(' · ')} · {lastUsedAt === null ? 'Not used yet' : <>Last used <RelativeTime key={lastUsedAt} at={lastUsedAt} /></>}
          </p>
          {disabledReason !== null && <p className="text-xs text-warning">{disabledReason} Reports to it are not sent.</p>}
        </div>
        {isAdmin && <ChannelMenu channel={channel} switching={switching} />}
      </div>
      {switching.message !== undefined && <Problem message={switching.message} />}
    </li>
  )
}

function ChannelMenu({ channel, switching }: { channel: Channel; switching: ReturnType<typeof useAction> }) {
  const { id, kind, name, state } = channel
  const [opened, setOpened] = useState<'edit' | 'connection' | 'delete' | 'test' | 'test new access'>()
  const client = useQueryClient()
  const toast = useToast()
  const refresh = () => client.invalidateQueries({ queryKey: channelsOptions.queryKey })
  const isEnabled = state === 'enabled'
  const deleting = useAction()
  const toggle = () =>
    switching.run(async () => {
      await editChannel(id, { state: isEnabled ? 'disabled' : 'enabled' })
      await refresh()
    })
  const remove = () =>
    deleting.run(async () => {
      await deleteChannel(id)
      toast.show({ message: `Deleted “${name}”.` })
      await refresh()
    })
  return (
    <>
      <Menu trigger={<IconButton label={`Actions for ${name}`} icon={<Ellipsis />} disabled={switching.isBusy} />}>
        <MenuItem icon={<Pencil />} onSelect={() => setOpened('edit')}>Edit</MenuItem>
        <MenuItem icon={<FlaskConical />} onSelect={() => setOpened('test')}>Send a test message</MenuItem>
        {kind === 'slack_bot' && <MenuItem icon={<MessageCircleQuestionMark />} onSelect={() => setOpened('connection')}>Ask questions from Slack</MenuItem>}
        <MenuItem icon={<Power />} onSelect={toggle}>{isEnabled ? 'Disable' : 'Enable'}</MenuItem>
        <MenuItem icon={<Trash2 />} isDangerous onSelect={() => setOpened('delete')}>Delete</MenuItem>
      </Menu>
      {opened === 'edit' && (
        <EditChannelDialog channel={channel} onNewAccess={() => setOpened('test new access')} onClose={() => setOpened(undefined)} />
      )}
      {(opened === 'test' || opened === 'test new access') && (
        <TestChannelDialog channel={channel} isChanged={opened === 'test new access'} onClose={() => setOpened(undefined)} />
      )}
      {opened === 'connection' && <SlackConnectionDialog channel={channel} onClose={() => setOpened(undefined)} />}
      <ConfirmDialog
        title={`Delete “${name}”?`}
        confirmLabel="Delete channel"
        isOpen={opened === 'delete'}
        onOpenChange={() => setOpened(undefined)}
        isBusy={deleting.isBusy}
        error={deleting.error}
        onConfirm={remove}
      >
        Automations can no longer send reports to it. The log of its deliveries is kept.
      </ConfirmDialog>
    </>
  )
}
