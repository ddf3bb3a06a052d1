import type { Visualization } from '../../api/references.ts'
import { Button } from '../../ui/button.tsx'
import { Hint, Problem } from '../../ui/notice.tsx'
import { useAction } from '../../ui/use-action.ts'

/** A chart that the reader has split by a column. */
export interface Split {
  column: string
  visualization: Visualization
  /** The saved chart. */
  of: Visualization | undefined
}

/** Says that the chart differs from the saved one, and saves it. */
export function SplitNotice({ split, onSave, onUndo }: { split: Split; onSave(visualization: Visualization): Promise<void>; onUndo(): void }) {
  const saving = useAction()
  return (
    <>
      <Hint>
        <div className="flex flex-wrap items-center gap-2">
          <p role="status" className="mr-auto">Split by {split.column}. Only you see this until you save the chart.</p>
          <Button size="small" onClick={onUndo}>Undo split</Button>
          <Button size="small" kind="primary" isBusy={saving.isBusy} onClick={() => saving.run(() => onSave(split.visualization))}>Save chart</Button>
        </div>
      </Hint>
      {saving.message !== undefined && <Problem title="Couldn’t save the chart" message={saving.message} />}
    </>
  )
}
