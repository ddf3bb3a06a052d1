import type { ReactNode } from 'react'
import { Button } from './button.tsx'

export function Loading() {
  return <p className="my-5 text-soft" role="status">Loading …</p>
}

/** What went wrong, in the words of whoever refused; with a way to try again where that may help. */
export function Problem(props: {
  message: string
  title?: string
  /** An engine's message: its lines and spaces mean something. */
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

/** Something worth knowing that is no fault. */
export function Hint({ children, kind = 'plain' }: { children: ReactNode; kind?: 'plain' | 'warning' | 'good' }) {
  const colours = { plain: 'bg-accent-wash', warning: 'bg-warning-wash text-warning', good: 'bg-good-wash text-good' }[kind]
  return <div className={`rounded-lg px-4 py-2.5 ${colours}`}>{children}</div>
}
