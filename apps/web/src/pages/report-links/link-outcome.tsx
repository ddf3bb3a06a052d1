import type { ReactNode } from 'react'

/** What has happened, in place of the question. Screen readers announce it. */
export function LinkOutcome(props: { icon: ReactNode; title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="grid gap-3" role="status">
      <div className="text-good [&_svg]:size-7" aria-hidden="true">{props.icon}</div>
      <h1>{props.title}</h1>
      <p className="text-soft">{props.children}</p>
      {props.action}
    </div>
  )
}
