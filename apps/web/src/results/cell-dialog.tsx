import { MessageSquarePlus } from 'lucide-react'
import { useRef } from 'react'
import type { Field } from '../api/first-rows.ts'
import { Button } from '../ui/button.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { fullText } from './cell.ts'
import { typeLabel } from './column-widths.ts'

/** Shows one value in full. */
export function CellDialog(props: {
  field: Field
  value: unknown
  onComment?: (() => void) | undefined
  onClose(): void
  onClosed(): void
}) {
  const { field, value, onComment } = props
  const isCommenting = useRef(false)
  const text = fullText(field.type, value)
  return (
    <Dialog
      title={field.name}
      description={typeLabel(field)}
      isOpen
      onOpenChange={props.onClose}
      onClosed={() => {
        props.onClosed()
        // The form can take the focus, which the dialog no longer holds.
        if (isCommenting.current) onComment?.()
      }}
      width="wide"
      {...(onComment && {
        footer: (
          <Button
            icon={<MessageSquarePlus />}
            onClick={() => {
              isCommenting.current = true
              props.onClose()
            }}
          >
            Comment on this value
          </Button>
        ),
      })}
    >
      {text === null ? <p className="text-soft italic">null</p> : <CodeBlock label={field.name} text={text} isWrapped />}
    </Dialog>
  )
}
