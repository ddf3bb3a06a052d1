import type { Run } from '../../api/runs.ts'
import { Button } from '../../ui/button.tsx'
import { useElapsedMs } from '../../ui/use-elapsed.ts'

export function Progress({ run, startMs, onStop }: { run: Run; startMs: number; onStop(): void }) {
  const elapsedMs = useElapsedMs(startMs)
  return (
    <div className="notice progress">
      <span className="spinner" aria-hidden="true" />
      <span role="status">{run.status === 'pending' ? 'Waiting to start …' : 'Running …'}</span>
      <span className="soft number">{(elapsedMs / 1000).toFixed(1)} s</span>
      <Button onClick={onStop}>Stop</Button>
    </div>
  )
}
