import { RelativeTime } from '../ui/time.tsx'
import type { Options } from './use-options.ts'

/** How old options from a query are, or why there are none. */
export function OptionsNote({ found: { problem, isLoading, completedAt } }: { found: Options }) {
  if (problem !== undefined) return <p className="text-xs text-danger" role="status">Couldn’t load the options: {problem}</p>
  if (isLoading) return <p className="text-xs text-soft" role="status">Loading options…</p>
  return completedAt === undefined ? null : <p className="text-xs text-soft">Options from <RelativeTime at={completedAt} /></p>
}
