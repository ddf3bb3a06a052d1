import { FileUp } from 'lucide-react'
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'

/** Accepts dropped files, and has a button to choose files without a mouse. */
export function FileDrop(props: {
  /** Which files to drop, for example "Drop CSV files here". */
  label: string
  buttonLabel: string
  /** Extensions such as `.csv`, for the browser's file dialog. */
  accept: string
  isSingle?: boolean
  hint?: ReactNode
  onFiles(files: File[]): void
}) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  // Entering a child also fires a leave event on its parent, so count both to know whether files are over the area.
  const depth = useRef(0)
  const [isOver, setIsOver] = useState(false)
  const trackDrag = (by: number) => (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    depth.current += by
    setIsOver(depth.current > 0)
  }
  const take = (files: FileList | null) => {
    const taken = [...(files ?? [])].slice(0, props.isSingle ? 1 : undefined)
    if (taken.length > 0) props.onFiles(taken)
  }
  return (
    <div
      role="group"
      aria-labelledby={`${id}-label`}
      className={classNames(
        'grid justify-items-center gap-2 rounded-lg border border-dashed px-4 py-6 text-center',
        isOver ? 'border-accent bg-accent-wash' : 'border-line-strong bg-surface',
      )}
      onDragEnter={trackDrag(1)}
      onDragLeave={trackDrag(-1)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        depth.current = 0
        setIsOver(false)
        take(event.dataTransfer.files)
      }}
    >
      <FileUp className="size-6 stroke-[1.5] text-soft" aria-hidden="true" />
      <p id={`${id}-label`}>{isOver ? 'Drop to add' : props.label}</p>
      <input
        ref={input}
        type="file"
        accept={props.accept}
        multiple={!props.isSingle}
        className="sr-only"
        tabIndex={-1}
        aria-hidden="true"
        onChange={(event) => {
          take(event.target.files)
          // Allow choosing the same file again.
          event.target.value = ''
        }}
      />
      <Button size="small" onClick={() => input.current?.click()}>{props.buttonLabel}</Button>
      {props.hint !== undefined && <div className="text-xs text-soft">{props.hint}</div>}
    </div>
  )
}
