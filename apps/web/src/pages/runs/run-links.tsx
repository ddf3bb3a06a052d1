import { getAutomationRun } from '../../api/automation-runs.ts'
import { listReferences } from '../../api/references.ts'
import type { Run } from '../../api/runs.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { Link } from '../../location.tsx'
import { paths } from '../../paths.ts'

/** What caused the run; for an automation, the way to the chat that tells of it. */
export function TriggerOf({ run }: { run: Run }) {
  const { triggerId } = run
  if (triggerId.startsWith('arun_')) return <AgentRunLink id={triggerId} />
  return <span title={triggerId}>{wordsOf(triggerId)}</span>
}

function wordsOf(triggerId: string): string {
  if (triggerId.startsWith('user_')) return 'Started by a person'
  if (triggerId.startsWith('key_')) return 'Started by a program'
  if (triggerId.startsWith('automation_')) return 'Asked for by an automation'
  return `Started by ${triggerId}`
}

function AgentRunLink({ id }: { id: string }) {
  // The answer to a question is no automation's run, and is not found as one.
  const { loaded } = useLoaded(id, (signal) => getAutomationRun(id, signal).catch(() => null))
  const run = loaded.status === 'ready' ? loaded.value : null
  if (!run) return <span title={id}>Started by an agent</span>
  return <span title={id}>Started by <Link href={paths.chat(run.chatShortId)}>{run.automationName}</Link></span>
}

const newest = 100

/** The references that point to the query, among the newest ones. */
export function ReferencesOf({ queryId }: { queryId: string }) {
  const { loaded } = useLoaded(queryId, (signal) => listReferences({ limit: newest, signal }))
  const references = loaded.status === 'ready' ? loaded.value.items.filter((item) => item.currentQuery.id === queryId) : []
  return references.map(({ shortId, title }) => (
    <span key={shortId}>Query <Link href={paths.permalink(shortId)}>{title}</Link></span>
  ))
}
