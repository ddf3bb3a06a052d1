import type { ReactNode } from 'react'
import { SideBySide } from './side-by-side.tsx'

/** Changes in words, as a list. */
export function ChangeList({ changes }: { changes: string[] }) {
  if (changes.length === 1) return <p className="text-sm [overflow-wrap:anywhere]">{changes[0]}</p>
  return (
    <ul className="list-disc pl-5 text-sm [overflow-wrap:anywhere]">
      {changes.map((change, at) => <li key={at}>{change}</li>)}
    </ul>
  )
}

/** A comparison with a heading. Equal texts are left out. */
export function Compared({ heading, before, after }: { heading: string; before: string; after: string }): ReactNode {
  if (before === after) return null
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <h3 className="text-xs font-medium text-soft">{heading}</h3>
      <SideBySide label={`${heading}, before and after`} before={before} after={after} />
    </section>
  )
}
