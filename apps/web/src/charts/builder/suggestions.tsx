import { suggestCharts, type Visualization } from '@querypost/visualization'
import { useMemo } from 'react'
import { Button } from '../../ui/button.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import type { Rows } from './draft.ts'
import { typeLooks } from '../type-looks.ts'

/** The charts that fit the result, as small choices. Choosing one keeps margins and the settings of columns. */
export function Suggestions(props: Rows & { value: Visualization; onChange(value: Visualization): void }) {
  const { fields, rows, value, onChange } = props
  const suggestions = useMemo(() => suggestCharts(fields, rows), [fields, rows])
  if (suggestions.length === 0) return null
  return (
    <div role="group" aria-label="Suggestions" className="flex flex-wrap items-center gap-1.5">
      <span aria-hidden="true" className="text-xs font-medium">Suggestions</span>
      {suggestions.map(({ visualization, title }) => {
        const { type, jsxConfig } = visualization
        const { name, Icon } = typeLooks[type]
        return (
          <Tooltip key={`${type} ${jsxConfig}`} text={title}>
            <Button
              size="small"
              icon={<Icon aria-hidden="true" />}
              aria-label={`${name}: ${title}`}
              aria-pressed={value.type === type && value.jsxConfig === jsxConfig}
              className="aria-pressed:border-accent aria-pressed:bg-accent-wash aria-pressed:text-accent"
              onClick={() => onChange({ ...value, type, jsxConfig })}
            >
              {name}
            </Button>
          </Tooltip>
        )
      })}
    </div>
  )
}
