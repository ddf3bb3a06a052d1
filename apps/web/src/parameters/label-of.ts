import type { ParameterDefinition } from '../api/references.ts'

export function labelOf({ displayName, name, type }: ParameterDefinition): string {
  const label = displayName || name
  return type === 'timestamp' ? `${label} (UTC)` : label
}
