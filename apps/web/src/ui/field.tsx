import { type ReactNode, createContext, use, useId } from 'react'

/** What an input needs from its field: its id, its description, and whether it has an error. */
interface FieldNames {
  id: string
  describedBy: string | undefined
  isFaulty: boolean
}

const FieldContext = createContext<FieldNames | undefined>(undefined)

/** The name of a button in a field: the label of the field, and the text of the button. */
export function useNameOfButton(): { 'aria-labelledby'?: string } {
  const id = use(FieldContext)?.id
  return id === undefined ? {} : { 'aria-labelledby': `${id}-label ${id}` }
}

/** The attributes that connect an input to its field. */
export function useFieldAttributes() {
  const names = use(FieldContext)
  if (!names) return {}
  return {
    id: names.id,
    ...(names.describedBy !== undefined && { 'aria-describedby': names.describedBy }),
    ...(names.isFaulty && { 'aria-invalid': true }),
  }
}

/** A labeled input. The child is an input of `ui/inputs.tsx`, or one that uses `useFieldAttributes`. */
export function Field(props: {
  label: string
  hint?: ReactNode
  /** The error message for this field. */
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
        <label id={`${id}-label`} htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-xs font-medium'}>
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
