import { Button } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import type { Draft } from './draft.ts'

/** Unsaved text that is there from another time: taken up again, or offered. */
export function DraftNotice(props: { draft: Draft; isTakenUp: boolean; onTakeUp(): void; onDiscard(): void }) {
  const { draft, isTakenUp } = props
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg bg-accent-wash px-4 py-2" role="status">
      <span className="mr-auto">
        {isTakenUp ? 'Your unsaved text was kept, from ' : 'There is unsaved text of yours, from '}
        <RelativeTime at={draft.writtenAt} />.
      </span>
      {!isTakenUp && <Button size="small" kind="primary" onClick={props.onTakeUp}>Continue with it</Button>}
      <Button size="small" onClick={props.onDiscard}>{isTakenUp ? 'Start over' : 'Discard it'}</Button>
    </div>
  )
}
