import type { DataConnector } from '../../api/data-connectors.ts'
import type { ModelSettings } from '../../api/model-settings.ts'
import { Badge } from '../../ui/badge.tsx'
import { Time } from '../../ui/time.tsx'
import { providerLabels } from './provider-labels.ts'

/** The model as members see it. */
export function ModelFacts({ settings }: { settings: ModelSettings | null }) {
  if (!settings) return <p className="text-soft">No model connected.</p>
  return (
    <p>
      <strong className="font-medium">{settings.model}</strong>{' '}
      <span className="text-soft">
        {providerLabels[settings.provider]}, saved <Time at={settings.updatedAt} />
      </span>
    </p>
  )
}

export function ConnectorNames({ connectors }: { connectors: DataConnector[] }) {
  if (connectors.length === 0) return <p className="text-soft">No data connectors yet.</p>
  return (
    <ul className="grid gap-2">
      {connectors.map(({ id, name, enabled }) => (
        <li key={id} className="[overflow-wrap:anywhere]">
          <strong className="font-medium">{name}</strong> {!enabled && <Badge>Off</Badge>}
        </li>
      ))}
    </ul>
  )
}
