import type { Field } from '../api/first-rows.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { fullText } from './cell.ts'
import { typeLabel } from './column-widths.ts'

/** Shows one value in full. */
export function CellDialog(props: { field: Field; value: unknown; onClose(): void; onClosed(): void }) {
  const { field, value } = props
  const text = fullText(field.type, value)
  return (
    <Dialog
      title={field.name}
      description={typeLabel(field)}
      isOpen
      onOpenChange={props.onClose}
      onClosed={props.onClosed}
      width="wide"
    >
      {text === null ? <p className="text-soft italic">null</p> : <CodeBlock label={field.name} text={text} isWrapped />}
    </Dialog>
  )
}
