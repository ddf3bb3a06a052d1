import { Pencil } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { faultAt, messageOf } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'

/**
 * Text that is edited where it stands. Enter (in several lines with Control) and leaving it save, Escape does not. It shows
 * what was typed at once; when the service refuses, the text goes back to what it was and what was typed stays in the field,
 * with the reason.
 */
export function EditableText(props: {
  label: string
  value: string
  isMultiline?: boolean
  maxLength: number
  /** Where the service names faults of it. */
  faultPath: string
  inputClass?: string
  onSave(value: string): Promise<void>
  children: ReactNode
}) {
  const { label, value, isMultiline = false } = props
  const id = useId()
  const [draft, setDraft] = useState<string | null>(null)
  const [error, setError] = useState<unknown>()
  const opener = useRef<HTMLButtonElement>(null)
  const isBusy = useRef(false)

  function close(): void {
    setDraft(null)
    setError(undefined)
    requestAnimationFrame(() => opener.current?.focus())
  }

  function save(): void {
    if (draft === null || isBusy.current) return
    if (draft.trim() === value.trim()) return close()
    isBusy.current = true
    const typed = draft
    setDraft(null)
    setError(undefined)
    props
      .onSave(typed.trim())
      .catch((refused: unknown) => {
        setDraft(typed)
        setError(refused)
      })
      .finally(() => {
        isBusy.current = false
      })
  }

  if (draft === null) {
    return (
      <div className="group flex min-w-0 items-start gap-1">
        {/* A click on the text is a shortcut for the button beside it. */}
        <div className="min-w-0 cursor-text rounded" onClick={() => setDraft(value)}>{props.children}</div>
        <IconButton
          ref={opener}
          label={`Edit ${label.toLowerCase()}`}
          icon={<Pencil />}
          className={`size-7 opacity-60 group-hover:opacity-100 focus-visible:opacity-100 ${isMultiline ? '-mt-[0.2rem]' : ''}`}
          onClick={() => setDraft(value)}
        />
      </div>
    )
  }
  const attributes = {
    'aria-label': label,
    value: draft,
    autoFocus: true,
    maxLength: props.maxLength,
    className: `w-full rounded-md border border-line-strong bg-surface px-2 py-1 aria-invalid:border-danger ${props.inputClass ?? ''}`,
    ...(error !== undefined && { 'aria-invalid': true, 'aria-describedby': `${id}-fault` }),
    onKeyDown(event: KeyboardEvent) {
      if (event.key === 'Escape') {
        event.preventDefault()
        close()
      } else if (event.key === 'Enter' && (!isMultiline || event.metaKey || event.ctrlKey)) {
        event.preventDefault()
        save()
      }
    },
  }
  return (
    <div
      className="grid w-full max-w-3xl gap-2"
      onBlur={(event) => {
        if (error === undefined && !event.currentTarget.contains(event.relatedTarget)) save()
      }}
    >
      {isMultiline ? (
        <textarea rows={3} {...attributes} onChange={(event) => setDraft(event.target.value)} />
      ) : (
        <input {...attributes} onChange={(event) => setDraft(event.target.value)} />
      )}
      {error !== undefined && (
        <p id={`${id}-fault`} role="alert" className="text-xs text-danger">
          Not saved. {faultAt(error, props.faultPath) ?? messageOf(error)}
        </p>
      )}
      <div className="flex gap-2">
        <Button size="small" kind="primary" onClick={save}>Save</Button>
        <Button size="small" onClick={close}>Cancel</Button>
      </div>
    </div>
  )
}
