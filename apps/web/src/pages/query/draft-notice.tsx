import { Button } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import type { Draft } from './draft.ts'

/** Tells about an unsaved draft: already restored, or offered for restoring. */
export function DraftNotice(props: { draft: Draft; isRestored: boolean; onRestore(): void; onDiscard(): void }) {
  const { draft, isRestored } = props
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg bg-accent-wash px-4 py-2" role="status">
      <span className="mr-auto">
        {isRestored ? 'Restored your unsaved draft from ' : 'You have an unsaved draft from '}
        <RelativeTime at={draft.writtenAt} />.
      </span>
      {!isRestored && <Button size="small" kind="primary" onClick={props.onRestore}>Restore draft</Button>}
      <Button size="small" onClick={props.onDiscard}>Discard draft</Button>
    </div>
  )
}
