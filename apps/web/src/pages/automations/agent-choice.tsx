import { useQuery } from '@tanstack/react-query'
import { modelSettingsOptions } from '../../api/model-settings.ts'
import { paths } from '../../paths.ts'
import { Choice } from '../../ui/inputs.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import type { Draft } from './draft.ts'
import { agentLabels } from './labels.ts'

export function AgentChoice(props: {
  agent: Draft['agent']
  fault: string | undefined
  onChange(agent: Draft['agent']): void
}) {
  const { agent, fault, onChange } = props
  const { data: model, isSuccess } = useQuery(modelSettingsOptions)
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-xs font-medium">Agent</legend>
      <Choice
        type="radio"
        name="agent"
        label={agentLabels.digest}
        checked={agent === 'digest'}
        onChange={() => onChange('digest')}
      />
      <Choice
        type="radio"
        name="agent"
        label={agentLabels.model}
        checked={agent === 'model'}
        disabled={!model && agent !== 'model'}
        onChange={() => onChange('model')}
      />
      {isSuccess && !model && (
        <p className="text-xs text-soft">
          No model connected yet. <TextLink href={paths.agentSettings}>Connect a model</TextLink>
        </p>
      )}
      {fault !== undefined && <p className="text-xs text-danger" role="alert">{fault}</p>}
    </fieldset>
  )
}
