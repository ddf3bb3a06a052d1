import type { ReactNode } from 'react'

/** A labelled input: the one child. It names the hint as its description by the hint's id. */
export function Field(props: {
  label: string
  hint?: { id: string; text: string } | undefined
  /** What the service said about it. */
  fault?: string | undefined
  children: ReactNode
}) {
  const { label, hint, fault, children } = props
  return (
    <div className={fault === undefined ? 'field' : 'field faulty'}>
      <label>
        <span className="label">{label}</span>
        {children}
      </label>
      {fault !== undefined && <span className="fault small" role="alert">{fault}</span>}
      {hint && <span className="soft small" id={hint.id}>{hint.text}</span>}
    </div>
  )
}
