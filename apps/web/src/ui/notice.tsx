import type { ReactNode } from 'react'
import { Button } from './button.tsx'

export function Loading() {
  return <p className="my-5 text-soft" role="status">Loading…</p>
}

/** An error message, with a retry button where retrying may help. */
export function Problem(props: {
  message: string
  title?: string
  /** Keeps line breaks and spaces, for messages of database engines. */
  isVerbatim?: boolean
  onRetry?: () => void
  children?: ReactNode
}) {
  const { message, title, isVerbatim = false, onRetry } = props
  return (
    <div className="grid justify-items-start gap-1.5 rounded-lg bg-danger-wash px-4 py-3 text-danger" role="alert">
      {title !== undefined && <strong className="font-semibold">{title}</strong>}
      {isVerbatim ? (
        <pre className="max-w-full font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]">{message}</pre>
      ) : (
        <p className="[overflow-wrap:anywhere]">{message}</p>
      )}
      {props.children}
      {onRetry && <Button size="small" onClick={onRetry}>Try again</Button>}
    </div>
  )
}

/** A notice that is not an error. */
export function Hint({ children, kind = 'plain' }: { children: ReactNode; kind?: 'plain' | 'warning' | 'good' }) {
  const colors = { plain: 'bg-accent-wash', warning: 'bg-warning-wash text-warning', good: 'bg-good-wash text-good' }[kind]
  return <div className={`rounded-lg px-4 py-2.5 ${colors}`}>{children}</div>
}
