import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { KeptResult } from '../../../api/result-history.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Time } from '../../../ui/time.tsx'

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A slider over kept results, the oldest on the left. `results` are newest first. */
export function RunSlider(props: { results: KeptResult[]; shownId: string | undefined; onChoose(result: KeptResult): void }) {
  const oldestFirst = props.results.toReversed()
  const found = oldestFirst.findIndex(({ runId }) => runId === props.shownId)
  const place = Math.max(found, 0)
  const choose = (index: number) => {
    const result = oldestFirst[index]
    if (result) props.onChoose(result)
  }
  return (
    <div className="grid gap-1">
      <div className="flex items-center gap-2">
        <IconButton label="Earlier result" icon={<ChevronLeft />} disabled={found <= 0} onClick={() => choose(place - 1)} />
        <input
          type="range"
          className="min-w-0 flex-1 accent-accent"
          aria-label="Result"
          aria-valuetext={exact.format(new Date(oldestFirst[place]!.at))}
          min={0}
          max={oldestFirst.length - 1}
          step={1}
          value={place}
          onChange={(event) => choose(Number(event.currentTarget.value))}
        />
        <IconButton label="Later result" icon={<ChevronRight />} disabled={place >= oldestFirst.length - 1} onClick={() => choose(place + 1)} />
      </div>
      <p className="flex justify-between text-xs text-soft">
        <Time at={oldestFirst[0]!.at} />
        <Time at={oldestFirst.at(-1)!.at} />
      </p>
    </div>
  )
}
