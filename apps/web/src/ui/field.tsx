import { type ReactNode, createContext, use, useId } from 'react'

/** What an input takes from the field around it: the names of its label, its hint and its fault. */
interface FieldNames {
  id: string
  describedBy: string | undefined
  isFaulty: boolean
}

const FieldContext = createContext<FieldNames | undefined>(undefined)

/** For an input: the attributes that tie it to its field. */
export function useFieldAttributes() {
  const names = use(FieldContext)
  if (!names) return {}
  return {
    id: names.id,
    ...(names.describedBy !== undefined && { 'aria-describedby': names.describedBy }),
    ...(names.isFaulty && { 'aria-invalid': true }),
  }
}

/** A labelled input: the one child, an input of `ui/inputs.tsx` (or one that uses `useFieldAttributes`). */
export function Field(props: {
  label: string
  hint?: ReactNode
  /** What the service said about it. */
  fault?: string | undefined
  isLabelHidden?: boolean
  className?: string
  children: ReactNode
}) {
  const { label, hint, fault, isLabelHidden = false, className, children } = props
  const id = useId()
  const described = [fault !== undefined && `${id}-fault`, hint !== undefined && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <FieldContext value={{ id, describedBy: described || undefined, isFaulty: fault !== undefined }}>
      <div className={`field grid min-w-0 content-start gap-1 ${fault === undefined ? '' : 'faulty'} ${className ?? ''}`}>
        <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-xs font-medium'}>
          {label}
        </label>
        {children}
        {fault !== undefined && (
          <p id={`${id}-fault`} className="fault text-xs text-danger" role="alert">
            {fault}
          </p>
        )}
        {hint !== undefined && (
          <div id={`${id}-hint`} className="text-xs text-soft">
            {hint}
          </div>
        )}
      </div>
    </FieldContext>
  )
}
