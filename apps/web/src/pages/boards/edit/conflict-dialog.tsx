import type { Board } from '../../../api/boards.ts'
import { messageOf } from '../../../api/request.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Problem } from '../../../ui/notice.tsx'
import { RelativeTime } from '../../../ui/time.tsx'
import { describeChanges } from '../content/describe-changes.ts'

/** Somebody saved the board in the meantime: shows what they changed, and lets the editor decide. */
export function ConflictDialog(props: {
  /** The state that the editor started from, and the one that is saved now. */
  base: Board
  theirs: Board
  isBusy: boolean
  error: unknown
  onLoadTheirs(): void
  onSaveCopy(): void
  onOverwrite(): void
  onClose(): void
}) {
  const { base, theirs } = props
  const references = [...base.references, ...theirs.references]
  const changes = describeChanges(base, theirs, (shortId) => references.find((reference) => reference.shortId === shortId)?.title)
  return (
    <Dialog
      title="The board has changed"
      description={<>Somebody saved version {theirs.version} <RelativeTime at={theirs.updatedAt} />, while you were editing version {base.version}.</>}
      isOpen
      onOpenChange={props.onClose}
      footer={
        <>
          <Button disabled={props.isBusy} onClick={props.onLoadTheirs}>Discard mine</Button>
          <Button disabled={props.isBusy} onClick={props.onSaveCopy}>Save mine as a copy</Button>
          <Button kind="danger" isBusy={props.isBusy} onClick={props.onOverwrite}>Overwrite theirs</Button>
        </>
      }
    >
      <div className="grid gap-3">
        <h3>Their changes</h3>
        {changes.length === 0 ? (
          <p className="text-soft">The content is the same as when you started.</p>
        ) : (
          <ul className="list-disc pl-5 [overflow-wrap:anywhere]">{changes.map((change, at) => <li key={at}>{change}</li>)}</ul>
        )}
        <p className="text-soft">Overwriting keeps their version in the version history.</p>
        {props.error !== undefined && props.error !== null && <Problem message={messageOf(props.error)} />}
      </div>
    </Dialog>
  )
}
