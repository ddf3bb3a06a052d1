import { offerSplit, setSplit } from '@querypost/visualization'
import { Button } from '../../ui/button.tsx'
import type { ChartFormProps } from './chart-form-props.ts'

/** Offers to split a chart in which several rows share a category. The chart itself says that they do. */
export function SplitOffer({ chart, fields, rows, onChange }: ChartFormProps) {
  const split = offerSplit(chart, { fields, rows })
  if (split === null) return null
  return (
    <Button kind="primary" className="justify-self-start" onClick={() => onChange(setSplit(chart, split))}>
      Split by {split}
    </Button>
  )
}
