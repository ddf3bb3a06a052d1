import { Crosshair, LayoutGrid } from 'lucide-react'
import type { DataPoint } from '../api/comments.ts'
import { paths } from '../paths.ts'
import { TextLink } from '../ui/text-link.tsx'
import { type CommentAnchor, useComments } from './comments-context.ts'
import { dayOf, nameOfPoint } from './describe-point.ts'

const line = 'flex items-start gap-1.5 text-xs text-soft [overflow-wrap:anywhere] [&_svg]:mt-0.5 [&_svg]:size-3.5 [&_svg]:shrink-0'

/** What a thread is about: a tile, and a value as it was when the thread began. */
export function Anchor({ anchor: { tileId, point } }: { anchor: CommentAnchor | { tileId: string | null; point: DataPoint | null } }) {
  const { titleOfTile } = useComments()!
  const hasTile = tileId !== undefined && tileId !== null
  if (!hasTile && !point) return null
  return (
    <div className="grid gap-1">
      {hasTile && (
        <p className={line}>
          <LayoutGrid aria-hidden="true" />
          <span><span className="sr-only">About the tile </span>{titleOfTile(tileId) ?? 'Deleted tile'}</span>
        </p>
      )}
      {point && (
        <p className={line}>
          <Crosshair aria-hidden="true" />
          <span>
            <span className="font-medium text-ink">{nameOfPoint(point)}</span>
            <br />
            {'completedAt' in point ? <ValueThen point={point} /> : <>The value is <Value text={point.value} />.</>}
          </span>
        </p>
      )}
    </div>
  )
}

function ValueThen({ point }: { point: DataPoint }) {
  const { value, runId, completedAt } = point
  return (
    <>
      The value was <Value text={value} /> on{' '}
      <TextLink href={paths.run(runId)}>
        <time dateTime={completedAt}>{dayOf(new Date(completedAt), new Date())}</time>
      </TextLink>.
    </>
  )
}

const Value = ({ text }: { text: string }) => <span className="font-medium text-ink tabular-nums">{text === '' ? '“”' : text}</span>
