import type { ReactNode } from 'react'
import type { Message } from '../../../api/chats.ts'

const card = 'rounded-lg border bg-surface px-4 py-3.5'
const line = 'text-[0.8125rem]'

type Kind = Message['kind'] | 'stopped' | 'event'

/** Texts are shown as cards, steps as lines. */
const looks: Record<Kind, string> = {
  instruction: `${card} border-line`,
  question: 'rounded-lg bg-accent-wash px-4 py-3.5 sm:ml-12',
  note: `${line} border-l-2 border-line-strong pl-3.5 text-soft`,
  knowledge: line,
  text: 'py-1',
  summary: `${card} border-line-strong border-l-3 border-l-accent`,
  answer: `${card} border-line-strong border-l-3 border-l-accent`,
  query_run: line,
  tool_call: line,
  chart: `${card} border-line`,
  reference: line,
  failure: 'rounded-lg bg-danger-wash px-4 py-3.5',
  stopped: 'rounded-lg border border-line bg-raised px-4 py-3.5',
  event: `${line} rounded-lg border border-line px-4 py-3`,
}

export function MessageItem({ kind, children }: { kind: Kind; children: ReactNode }) {
  return <li data-kind={kind} className={looks[kind]}>{children}</li>
}
