import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Eye, FlaskConical, Mail, Pause, Pencil, Play, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Automation } from '../../../api/automations.ts'
import { boardOptions } from '../../../api/boards.ts'
import { channelsOptions, conversationsOptions } from '../../../api/channels.ts'
import { askToConfirmAgain, deleteReport, editReport, type Report, reportsKey, sendTest } from '../../../api/reports.ts'
import { messageOf } from '../../../api/request.ts'
import { paths } from '../../../paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { TextLink } from '../../../ui/text-link.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { ChannelIcon } from '../../channels/channel-icon.tsx'
import { attachmentLabels, describeTarget, groupProblem, type KnownPeople, nameOf, recipientsOf, whenLabels } from './describe-report.ts'
import { PreviewDialog } from './preview-dialog.tsx'
import { keyOf, toReport, toReportDraft, withoutRepeats } from './report-draft.ts'
import { ReportDialog } from './report-dialog.tsx'
import { useKnownPeople } from './use-known-people.ts'

/** One entry of "Send to": where it goes, what it is, and what keeps it from arriving. */
export function ReportRow({ report, automation }: { report: Report; automation: Automation }) {
  const { target, attachments, when, isEnabled } = report
  const people = useKnownPeople()
  const { data: channels } = useQuery(channelsOptions)
  const channel = target.kind === 'channel' ? channels?.items.find(({ id }) => id === target.channelId) : undefined
  const isConversation = target.kind === 'channel' && target.conversation !== undefined && channel?.kind === 'slack_bot'
  // If Slack does not answer, the name of the workspace has to do.
  const { data: conversations } = useQuery({ ...conversationsOptions(channel?.id ?? ''), enabled: isConversation })
  const name = describeTarget(report, { ...people, channels: channels?.items, conversations })
  return (
    <li className="grid gap-2 px-4 py-3">
      <div className="flex items-start gap-3">
        <span className="mt-0.5">{channel ? <ChannelIcon kind={channel.kind} /> : <Mail className="size-4 text-soft" aria-hidden="true" />}</span>
        <div className="mr-auto min-w-0 [overflow-wrap:anywhere]">
          <p className="flex flex-wrap items-center gap-x-2 font-medium">
            {name}
            {!isEnabled && <Badge color="warning">Paused</Badge>}
            {channel?.state === 'disabled' && <Badge color="danger">Channel disabled</Badge>}
          </p>
          <p className="text-soft">
            <Content report={report} />
            {attachments.length > 0 && ` with ${attachments.map((kind) => attachmentLabels[kind]).join(', ')}`} · {whenLabels[when]}
          </p>
        </div>
        <ReportMenu report={report} automation={automation} name={name} />
      </div>
      <Silent report={report} people={people} />
    </li>
  )
}

function Content({ report: { content } }: { report: Report }) {
  if (content.kind === 'summary') return 'Summary of the run'
  return <BoardLink shortId={content.boardShortId} />
}

function BoardLink({ shortId }: { shortId: string }) {
  const { data: board, isError } = useQuery(boardOptions(shortId))
  if (isError) return 'A board that can’t be opened'
  return <TextLink href={paths.board(shortId)}>{board?.title ?? 'Board'}</TextLink>
}

/** Recipients that get nothing yet, or no longer: outside addresses and groups. */
function Silent({ report, people }: { report: Report; people: KnownPeople }) {
  const open = report.addresses.filter(({ state }) => state !== 'confirmed')
  const groups = withoutRepeats(recipientsOf(report)).flatMap((recipient) => {
    const problem = groupProblem(recipient, people)
    return problem ? { key: keyOf(recipient), name: nameOf(recipient, people), problem } : []
  })
  if (open.length === 0 && groups.length === 0 && report.unsubscribed.length === 0) return null
  return (
    <ul className="grid gap-1 pl-7 text-xs">
      {groups.map(({ key, name, problem }) => (
        <li key={key} className="flex flex-wrap items-center gap-2">
          <span className="[overflow-wrap:anywhere]">{name}</span> <Badge color="warning">{problem}</Badge>
        </li>
      ))}
      {open.map(({ email, state }) => (
        <li key={email} className="flex flex-wrap items-center gap-2">
          <span className="[overflow-wrap:anywhere]">{email}</span>
          <Badge color={state === 'bounced' ? 'danger' : 'warning'}>{state === 'bounced' ? 'Address doesn’t exist' : 'Waiting for confirmation'}</Badge>
          <AskAgain report={report} email={email} />
        </li>
      ))}
      {report.unsubscribed.map((email) => (
        <li key={email} className="flex flex-wrap items-center gap-2">
          <span className="[overflow-wrap:anywhere]">{email}</span> <Badge>Unsubscribed</Badge>
        </li>
      ))}
    </ul>
  )
}

function AskAgain({ report, email }: { report: Report; email: string }) {
  const asking = useAction()
  const client = useQueryClient()
  const toast = useToast()
  const ask = () =>
    asking.run(async () => {
      try {
        await askToConfirmAgain(report, email)
        toast.show({ message: `Sent another request to ${email}.` })
        await client.invalidateQueries({ queryKey: reportsKey(report.automationId) })
      } catch (error) {
        toast.show({ message: messageOf(error), isProblem: true })
      }
    })
  return <Button kind="ghost" size="small" isBusy={asking.isBusy} aria-label={`Ask ${email} again`} onClick={ask}>Ask again</Button>
}

function ReportMenu({ report, automation, name }: { report: Report; automation: Automation; name: string }) {
  const { isEnabled, target } = report
  const [opened, setOpened] = useState<'preview' | 'edit' | 'delete'>()
  const client = useQueryClient()
  const toast = useToast()
  const { data: channels } = useQuery(channelsOptions)
  const acting = useAction()
  const deleting = useAction()
  const refresh = () => client.invalidateQueries({ queryKey: reportsKey(report.automationId) })
  const act = (action: () => Promise<unknown>, message?: string) =>
    acting.run(async () => {
      try {
        await action()
        if (message !== undefined) toast.show({ message })
        await refresh()
      } catch (error) {
        toast.show({ message: messageOf(error), isProblem: true })
      }
    })
  const close = () => setOpened(undefined)
  return (
    <>
      <Menu trigger={<IconButton label={`Actions for ${name}`} icon={<Ellipsis />} disabled={acting.isBusy} />}>
        <MenuItem icon={<Eye />} onSelect={() => setOpened('preview')}>Preview</MenuItem>
        {channels?.isEmailEnabled && (
          <MenuItem icon={<FlaskConical />} onSelect={() => act(() => sendTest(report, 'me'), 'A test is on its way to you.')}>Send a test to me</MenuItem>
        )}
        {target.kind === 'channel' && (
          <MenuItem icon={<FlaskConical />} onSelect={() => act(() => sendTest(report, 'channel'), `A test is on its way to ${name}.`)}>
            Send a test to the channel
          </MenuItem>
        )}
        <MenuItem icon={<Pencil />} onSelect={() => setOpened('edit')}>Edit</MenuItem>
        <MenuItem icon={isEnabled ? <Pause /> : <Play />} onSelect={() => act(() => editReport(report, { isEnabled: !isEnabled }))}>
          {isEnabled ? 'Pause' : 'Resume'}
        </MenuItem>
        <MenuItem icon={<Trash2 />} isDangerous onSelect={() => setOpened('delete')}>Remove</MenuItem>
      </Menu>
      {opened === 'preview' && <PreviewDialog automationId={automation.id} report={toReport(toReportDraft(report))} onClose={close} />}
      {opened === 'edit' && <ReportDialog automation={automation} report={report} initial={toReportDraft(report)} onClose={close} />}
      <ConfirmDialog
        title={`Stop sending to ${name}?`}
        confirmLabel="Remove"
        isOpen={opened === 'delete'}
        onOpenChange={close}
        isBusy={deleting.isBusy}
        error={deleting.error}
        onConfirm={() =>
          deleting.run(async () => {
            await deleteReport(report)
            await refresh()
          })
        }
      >
        Reports that are due are not sent. The log of deliveries is kept.
      </ConfirmDialog>
    </>
  )
}
