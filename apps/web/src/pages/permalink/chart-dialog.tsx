import { useState } from 'react'
import type { ReferenceInFull, Visualization } from '../../api/references.ts'
import { faultAt, messageOf } from '../../api/request.ts'
import { ChartBuilder } from '../../charts/chart-builder.tsx'
import type { LoadedResult } from '../../results/load-result.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Problem } from '../../ui/notice.tsx'
import { useAction } from '../../ui/use-action.ts'

/** Edits the chart that everyone who opens the permalink sees. */
export function ChartDialog(props: {
  reference: ReferenceInFull
  result: LoadedResult
  onSave(visualization: Visualization): Promise<void>
  onClose(): void
}) {
  const { fields, rows } = props.result
  const [value, setValue] = useState<Visualization | null>(props.reference.visualization ?? null)
  const saving = useAction()
  return (
    <Dialog
      title="Edit chart"
      description="Everyone who opens this link sees the chart."
      isOpen
      onOpenChange={props.onClose}
      width="wide"
      footer={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button
            kind="primary"
            isBusy={saving.isBusy}
            disabled={value === null}
            onClick={() =>
              saving.run(async () => {
                await props.onSave(value!)
                props.onClose()
              })
            }
          >
            Save chart
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {saving.error !== undefined && <Problem message={faultAt(saving.error, '/visualization') ?? messageOf(saving.error)} />}
        <ChartBuilder fields={fields} rows={rows} value={value} onChange={setValue} />
      </div>
    </Dialog>
  )
}
