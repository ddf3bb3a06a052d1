import { FileUp } from 'lucide-react'
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'

/** A place to drop files on, and a button that asks for them: one can be had without the other's hand. */
export function FileDrop(props: {
  /** What is wanted, for example "CSV or Parquet files". */
  label: string
  buttonLabel: string
  /** Endings such as `.csv`, for the browser's own dialog. */
  accept: string
  isSingle?: boolean
  hint?: ReactNode
  onFiles(files: File[]): void
}) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  // Entering a child counts as leaving its parent: files are above the area while more was entered than left.
  const depth = useRef(0)
  const [isOver, setIsOver] = useState(false)
  const moved = (by: number) => (event: DragEvent) => {
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
      onDragEnter={moved(1)}
      onDragLeave={moved(-1)}
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
          // The same file may be chosen again.
          event.target.value = ''
        }}
      />
      <Button size="small" onClick={() => input.current?.click()}>{props.buttonLabel}</Button>
      {props.hint !== undefined && <div className="text-xs text-soft">{props.hint}</div>}
    </div>
  )
}
