import { offerSplit, readChoice, setSplit } from '@querypost/visualization'
import { Button } from '../../ui/button.tsx'
import { Hint } from '../../ui/notice.tsx'
import type { ChartFormProps } from './chart-form-props.ts'

/** Offers to draw one series per value of a column where several rows share a category. */
export function SplitOffer({ chart, fields, rows, onChange }: ChartFormProps) {
  const split = offerSplit(chart, { fields, rows })
  if (split === null) return null
  return (
    <Hint kind="warning">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p>Several rows have the same {readChoice(chart).categoryKey}.</p>
        <Button size="small" onClick={() => onChange(setSplit(chart, split))}>
          Split by {split}
        </Button>
      </div>
    </Hint>
  )
}
