import type { Kpi, KpiComparison, KpiTarget } from '@querypost/visualization'
import { ArrowDown, ArrowRight, ArrowUp } from 'lucide-react'
import { classNames } from '../ui/class-names.ts'
import { Sparkline } from './sparkline.tsx'

/** One number in large type, with the period before, the target and the course of the values, as far as they are chosen. */
export function KpiView({ kpi }: { kpi: Kpi }) {
  const { caption, text, period, comparison, target, sparkline, notes } = kpi
  return (
    <div className="grid max-w-md gap-2 py-2">
      <p className="grid gap-1">
        <span className="text-4xl font-semibold tracking-tight tabular-nums [overflow-wrap:anywhere]">{text}</span>
        <span className="text-soft">
          {caption}
          {period !== null && <> · {period}</>}
        </span>
      </p>
      {comparison && <Comparison comparison={comparison} />}
      {target && <Target target={target} />}
      {sparkline && <Sparkline values={sparkline} label={`${caption}, ${sparkline.length} periods`} />}
      {notes.map((note) => <p key={note} className="text-xs text-soft">{note}</p>)}
    </div>
  )
}

const arrows = { up: ArrowUp, down: ArrowDown, same: ArrowRight }
const directions = { up: 'Up', down: 'Down', same: 'Unchanged' }

/** The arrow and the sign say the direction, and the words whether it is good: color only adds to them. */
function Comparison({ comparison }: { comparison: KpiComparison }) {
  const { direction, isGood, difference, percent, period, previous } = comparison
  const Arrow = arrows[direction]
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm">
      <span
        className={classNames(
          'inline-flex items-center gap-1 rounded-full px-2 py-0.5 font-medium tabular-nums',
          isGood === null ? 'bg-raised text-soft' : isGood ? 'bg-good-wash text-good' : 'bg-danger-wash text-danger',
        )}
      >
        <Arrow className="size-3.5" aria-hidden="true" />
        <span className="sr-only">
          {directions[direction]}
          {isGood !== null && (isGood ? ', better' : ', worse')}
        </span>
        {percent ?? difference}
      </span>
      <span className="text-xs text-soft">
        {percent !== null && direction !== 'same' && <><span className="tabular-nums">{difference}</span> </>}
        from {previous} ({period})
      </span>
    </p>
  )
}

function Target({ target }: { target: KpiTarget }) {
  const { text, share, shareText, isReached } = target
  return (
    <div className="grid gap-1 text-sm">
      {share !== null && (
        <div
          role="progressbar"
          aria-label={`Target ${text}`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(Math.min(1, share) * 100)}
          className="h-1.5 overflow-hidden rounded-full bg-raised"
        >
          <div
            className={classNames('h-full rounded-full', isReached ? 'bg-good' : 'bg-accent')}
            style={{ width: `${Math.min(1, share) * 100}%` }}
          />
        </div>
      )}
      <p className="text-soft">
        {shareText === null ? `Target ${text}` : `${shareText} of the target ${text}`}
        {isReached && <span className="text-good"> · Reached</span>}
      </p>
    </div>
  )
}
