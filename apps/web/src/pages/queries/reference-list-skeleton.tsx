import { Card } from '../../ui/card.tsx'
import { rowColumns } from './reference-list.tsx'

const rows = 8

/** Placeholder rows with the height of real ones. */
export function ReferenceListSkeleton() {
  return (
    <Card className="overflow-hidden">
      <div className="animate-pulse divide-y divide-line" role="status" aria-label="Loading queries">
        {Array.from({ length: rows }, (_, at) => (
          <div key={at} className={rowColumns}>
            <div className="size-4 rounded bg-raised" />
            <div className="grid h-10.5 content-center gap-2">
              <div className="h-3.5 w-2/5 rounded bg-raised" />
              <div className="h-3 w-3/5 rounded bg-raised" />
            </div>
          </div>
        ))}
      </div>
    </Card>
  )
}
