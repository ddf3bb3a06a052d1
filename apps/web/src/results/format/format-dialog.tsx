import { defaultMargin, type Visualization } from '@querypost/visualization'
import { useState } from 'react'
import { faultAt, messageOf } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Problem } from '../../ui/notice.tsx'
import { useAction } from '../../ui/use-action.ts'
import type { Field } from '../../api/first-rows.ts'
import { FormatPanel, type TableSettings } from './format-panel.tsx'

/** Edits the settings of columns in a side panel. Without a visualization, they become part of a new one that shows a table. */
export function FormatDialog(props: {
  fields: Field[]
  rows: unknown[][]
  visualization: Visualization | null
  firstColumn?: string | undefined
  description: string
  saveLabel: string
  onSave(visualization: Visualization): Promise<void> | void
  onClose(): void
}) {
  const { visualization } = props
  const [value, setValue] = useState<TableSettings>({
    columns: visualization?.columns ?? [],
    hasTotals: visualization?.hasTotals ?? false,
  })
  const saving = useAction()
  return (
    <Dialog
      title="Format columns"
      description={props.description}
      isOpen
      isSheet
      onOpenChange={props.onClose}
      footer={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button
            kind="primary"
            isBusy={saving.isBusy}
            onClick={() =>
              saving.run(async () => {
                await props.onSave(withSettings(visualization, value))
                props.onClose()
              })
            }
          >
            {props.saveLabel}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {saving.error !== undefined && <Problem message={faultAt(saving.error, '/visualization') ?? messageOf(saving.error)} />}
        <FormatPanel fields={props.fields} rows={props.rows} value={value} firstColumn={props.firstColumn} onChange={setValue} />
      </div>
    </Dialog>
  )
}

function withSettings(visualization: Visualization | null, { columns, hasTotals }: TableSettings): Visualization {
  const { columns: _, hasTotals: __, ...rest } = visualization ?? { type: 'table' as const, jsxConfig: '', marginConfig: defaultMargin }
  return { ...rest, ...(columns.length > 0 && { columns: [...columns] }), ...(hasTotals && { hasTotals }) }
}
