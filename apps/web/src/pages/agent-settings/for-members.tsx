import type { DataConnector } from '../../api/data-connectors.ts'
import type { ModelSettings } from '../../api/model-settings.ts'
import { Badge } from '../../ui/badge.tsx'
import { Time } from '../../ui/time.tsx'
import { providerWords } from './words.ts'

/** What somebody who is no admin sees of the settings. */
export function ModelFacts({ settings }: { settings: ModelSettings | null }) {
  if (!settings) return <p className="text-soft">No model is set up.</p>
  return (
    <p>
      <strong className="font-medium">{settings.model}</strong>{' '}
      <span className="text-soft">
        {providerWords[settings.provider]}, set up <Time at={settings.updatedAt} />
      </span>
    </p>
  )
}

export function ConnectorNames({ connectors }: { connectors: DataConnector[] }) {
  if (connectors.length === 0) return <p className="text-soft">None yet.</p>
  return (
    <ul className="grid gap-2">
      {connectors.map(({ id, name, url, enabled }) => (
        <li key={id} className="[overflow-wrap:anywhere]">
          <strong className="font-medium">{name}</strong> {!enabled && <Badge>Off</Badge>}{' '}
          <code className="text-xs text-soft">{url}</code>
        </li>
      ))}
    </ul>
  )
}
