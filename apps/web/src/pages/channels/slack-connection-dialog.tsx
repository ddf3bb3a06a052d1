import { useQuery } from '@tanstack/react-query'
import { type Channel, type SlackConnection, slackConnectionOptions } from '../../api/channels.ts'
import { documentation } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { connectionState } from './connection-state.ts'

/** Whether people can ask questions from a Slack workspace, and what to paste in Slack. */
export function SlackConnectionDialog({ channel, onClose }: { channel: Pick<Channel, 'id' | 'name'>; onClose(): void }) {
  const query = useQuery(slackConnectionOptions(channel.id))
  return (
    <Dialog
      title="Ask questions from Slack"
      description={channel.name}
      isOpen
      onOpenChange={onClose}
      footer={
        <>
          <Button isBusy={query.isFetching} onClick={() => void query.refetch()}>Check again</Button>
          <Button kind="primary" onClick={onClose}>Done</Button>
        </>
      }
    >
      <Loaded query={query}>{(connection) => <Connection connection={connection} />}</Loaded>
    </Dialog>
  )
}

function Connection({ connection }: { connection: SlackConnection }) {
  const { label, color, advice } = connectionState(connection)
  const { missingScopes, lastEventAt, problem, requestUrl, manifest } = connection
  return (
    <div className="grid grid-cols-1 gap-5">
      <section className="grid grid-cols-1 gap-1.5" aria-label="Status">
        <p className="flex flex-wrap items-center gap-2">
          <Badge color={color}>{label}</Badge>
          <span className="text-xs text-soft">
            {lastEventAt === null ? 'Nothing received yet' : <>Last request <RelativeTime key={lastEventAt} at={lastEventAt} /></>}
          </span>
        </p>
        <p>{advice}</p>
        {missingScopes !== null && missingScopes.length > 0 && (
          <ul className="flex flex-wrap gap-1.5" aria-label="Missing scopes">
            {missingScopes.map((scope) => <li key={scope}><code className="rounded bg-raised px-1.5 py-0.5 text-xs">{scope}</code></li>)}
          </ul>
        )}
        {problem !== null && advice !== problem.reason && <p className="text-xs text-warning">{problem.reason}</p>}
      </section>
      <section className="grid grid-cols-1 gap-1.5">
        <h3 className="text-xs font-medium">Request URL</h3>
        <CodeBlock text={requestUrl} label="Request URL" isWrapped />
        {!requestUrl.startsWith('https://') && (
          <p className="text-xs text-warning">Slack sends requests only to HTTPS addresses that it can reach. Ask the operator to set BASE_URL.</p>
        )}
      </section>
      <section className="grid grid-cols-1 gap-1.5">
        <h3 className="text-xs font-medium">App manifest</h3>
        <p className="text-xs text-soft">
          In Slack, open your app, then App Manifest. Replace what is there, save, and reinstall the app.{' '}
          <TextLink href={`${documentation.slack}#ask-questions-from-slack`}>Learn more</TextLink>
        </p>
        <CodeBlock text={manifest} label="App manifest" copyLabel="Copy manifest" />
      </section>
    </div>
  )
}
