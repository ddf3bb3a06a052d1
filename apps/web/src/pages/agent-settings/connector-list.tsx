import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type ConnectorTest,
  type DataConnector,
  dataConnectorsOptions,
  deleteDataConnector,
  switchDataConnector,
  testDataConnector,
} from '../../api/data-connectors.ts'
import { messageOf } from '../../api/request.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Hint, Problem } from '../../ui/notice.tsx'
import { seconds } from '../../ui/time.tsx'

export function ConnectorList({ connectors }: { connectors: DataConnector[] }) {
  if (connectors.length === 0) return <p className="text-soft">No data connectors yet.</p>
  return (
    <ul className="divide-y divide-line">
      {connectors.map((connector) => <ConnectorItem key={connector.id} connector={connector} />)}
    </ul>
  )
}

function ConnectorItem({ connector }: { connector: DataConnector }) {
  const { id, name, url, headerNames, enabled } = connector
  const [isConfirmingDelete, setIsConfirmingDelete] = useState(false)
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: dataConnectorsOptions.queryKey })
  const testing = useMutation({ mutationFn: () => testDataConnector(id) })
  const switching = useMutation({ mutationFn: () => switchDataConnector(id, !enabled), onSuccess: refresh })
  const deleting = useMutation({ mutationFn: () => deleteDataConnector(id), onSuccess: refresh })
  const problem = testing.error ?? switching.error
  const switchLabel = enabled ? 'Disable' : 'Enable'
  return (
    <li className="grid gap-3 py-3 first:pt-0">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="mr-auto grid min-w-0 basis-64 grow [overflow-wrap:anywhere]">
          <span className="flex items-center gap-2 font-medium">{name} {!enabled && <Badge>Off</Badge>}</span>
          <code className="text-xs">{url}</code>
          {headerNames.length > 0 && <span className="text-xs text-soft">Headers: {headerNames.join(', ')}</span>}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button size="small" onClick={() => testing.mutate()} isBusy={testing.isPending} aria-label={`Test ${name}`}>
            Test
          </Button>
          <Button
            size="small"
            onClick={() => switching.mutate()}
            isBusy={switching.isPending}
            aria-label={`${switchLabel} ${name}`}
          >
            {switchLabel}
          </Button>
          <Button size="small" onClick={() => setIsConfirmingDelete(true)} aria-label={`Delete ${name}`}>Delete</Button>
        </div>
      </div>
      {problem && <Problem message={messageOf(problem)} />}
      <div role="status" className="empty:-mt-3">{testing.data?.ok && <Tools test={testing.data} />}</div>
      {testing.data?.ok === false && <Problem title="Test failed" message={testing.data.message} />}
      <ConfirmDialog
        title={`Delete ${name}?`}
        confirmLabel="Delete connector"
        isOpen={isConfirmingDelete}
        onOpenChange={setIsConfirmingDelete}
        isBusy={deleting.isPending}
        error={deleting.error}
        onConfirm={() => deleting.mutate()}
      >
        Agents can no longer use its tools. Its past responses stay in chats.
      </ConfirmDialog>
    </li>
  )
}

function Tools({ test }: { test: ConnectorTest & { ok: true } }) {
  const { server, tools, durationMs } = test
  return (
    <Hint kind="good">
      <p>
        Connected to {server.name} {server.version} in {seconds(durationMs)}.{' '}
        {tools.length === 0 ? 'It has no tools.' : 'Tools:'}
      </p>
      <ul className="mt-1 grid list-disc gap-0.5 pl-5">
        {tools.map((tool) => (
          <li key={tool.name}><code className="text-xs">{tool.name}</code> {tool.description}</li>
        ))}
      </ul>
    </Hint>
  )
}
