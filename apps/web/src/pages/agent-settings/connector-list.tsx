import { useState } from 'react'
import {
  type ConnectorTest,
  type DataConnector,
  deleteDataConnector,
  switchDataConnector,
  testDataConnector,
} from '../../api/data-connectors.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Problem } from '../../ui/notice.tsx'
import { Tag } from '../../ui/tag.tsx'
import { seconds } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'

export function ConnectorList({ connectors, onChanged }: { connectors: DataConnector[]; onChanged(): void }) {
  if (connectors.length === 0) return <p className="soft">None yet.</p>
  return (
    <ul className="card list connectors">
      {connectors.map((connector) => (
        <ConnectorItem key={connector.id} connector={connector} onChanged={onChanged} />
      ))}
    </ul>
  )
}

function ConnectorItem({ connector, onChanged }: { connector: DataConnector; onChanged(): void }) {
  const { id, name, url, headerNames, enabled } = connector
  const [outcome, setOutcome] = useState<ConnectorTest>()
  const action = useAction()
  const test = () => action.run(async () => setOutcome(await testDataConnector(id)))
  const switchWord = enabled ? 'Disable' : 'Enable'
  const change = (act: () => Promise<unknown>) =>
    action.run(async () => {
      await act()
      onChanged()
    })
  return (
    <li>
      <div className="about">
        <span className="title">{name}{!enabled && <Tag word="Off" />}</span>
        <code>{url}</code>
        {headerNames.length > 0 && <span className="soft small">Sends {headerNames.join(', ')}</span>}
      </div>
      <div className="actions wide">
        <Button onClick={test} disabled={action.isBusy} aria-label={`Test ${name}`}>
          Test
        </Button>
        <Button
          onClick={() => change(() => switchDataConnector(id, !enabled))}
          disabled={action.isBusy}
          aria-label={`${switchWord} ${name}`}
        >
          {switchWord}
        </Button>
        <ConfirmButton
          label="Delete"
          ariaLabel={`Delete ${name}`}
          confirmLabel="Delete for good"
          isBusy={action.isBusy}
          onConfirm={() => change(() => deleteDataConnector(id))}
        />
      </div>
      {action.message !== undefined && <Problem message={action.message} />}
      {outcome && <Outcome outcome={outcome} />}
    </li>
  )
}

function Outcome({ outcome }: { outcome: ConnectorTest }) {
  if (!outcome.ok) return <Problem title="The test failed" message={outcome.message} />
  const { server, tools, durationMs } = outcome
  return (
    <div className="notice hint tools" role="status">
      <p>
        {server.name} {server.version} answered within {seconds(durationMs)}.{' '}
        {tools.length === 0 ? 'It has no tools.' : 'Its tools:'}
      </p>
      <ul>
        {tools.map((tool) => (
          <li key={tool.name}><code>{tool.name}</code> {tool.description}</li>
        ))}
      </ul>
    </div>
  )
}
