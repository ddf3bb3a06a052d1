import { kindOf } from '@querypost/visualization'
import { AxesSection } from './axes-section.tsx'
import type { ChartFormProps } from './chart-form-props.ts'
import { ColumnFields } from './column-fields.tsx'
import { DisplaySection } from './display-section.tsx'
import { LinesSection } from './lines-section.tsx'
import { PivotForm } from './pivot-form.tsx'
import { SeriesSection } from './series-section.tsx'

/** Edits the common settings; everything else in the chart stays unchanged. */
export function ChartForm(props: ChartFormProps) {
  if (kindOf(props.chart) === 'pivot') return <PivotForm {...props} />
  return (
    <>
      <ColumnFields {...props} />
      <div className="grid gap-2">
        <SeriesSection {...props} />
        <AxesSection {...props} />
        <LinesSection {...props} />
        <DisplaySection {...props} />
      </div>
    </>
  )
}
