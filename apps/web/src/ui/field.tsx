import type { ReactNode } from 'react'

/** A labelled input: the one child. It names the hint as its description by the hint's id. */
export function Field(props: { label: string; hint?: { id: string; text: string }; children: ReactNode }) {
  const { label, hint, children } = props
  return (
    <div className="field">
      <label>
        <span className="label">{label}</span>
        {children}
      </label>
      {hint && <span className="soft small" id={hint.id}>{hint.text}</span>}
    </div>
  )
}
