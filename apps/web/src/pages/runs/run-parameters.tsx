import type { ParameterValues } from '../../api/runs.ts'
import { showValue } from '../../parameters/show-value.ts'
import { Card } from '../../ui/card.tsx'

/** The parameter values of the run. */
export function RunParameters({ values }: { values: ParameterValues }) {
  const entries = Object.entries(values)
  if (entries.length === 0) return null
  return (
    <Card title="Parameters">
      <dl className="grid gap-x-8 gap-y-2 sm:grid-cols-[auto_minmax(0,1fr)]">
        {entries.map(([name, value]) => (
          <div key={name} className="sm:contents">
            <dt className="text-soft">{name}</dt>
            <dd className="font-mono text-xs leading-5 [overflow-wrap:anywhere] whitespace-pre-wrap">
              {showValue(value) || <span className="text-soft italic">empty</span>}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
