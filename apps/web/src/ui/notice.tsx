import type { ReactNode } from 'react'
import { Button } from './button.tsx'

export function Loading() {
  return <p className="soft loading" role="status">Loading …</p>
}

/** What went wrong, in the words of whoever refused; with a way to try again where that may help. */
export function Problem(props: {
  message: string
  title?: string
  /** An engine's message: its lines and spaces mean something. */
  isVerbatim?: boolean
  onRetry?: () => void
}) {
  const { message, title, isVerbatim = false, onRetry } = props
  return (
    <div className="notice problem" role="alert">
      {title && <strong>{title}</strong>}
      {isVerbatim ? <pre>{message}</pre> : <p>{message}</p>}
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  )
}

export function Hint({ children }: { children: ReactNode }) {
  return <p className="notice hint">{children}</p>
}
