import type { AnswerStatus, ComparedAnswer } from '../../api/evaluations.ts'
import { Badge, type BadgeColor } from '../../ui/badge.tsx'

const statuses: Record<AnswerStatus, { label: string; color: BadgeColor }> = {
  waiting: { label: 'Waiting', color: 'plain' },
  running: { label: 'Running', color: 'accent' },
  correct: { label: 'Correct', color: 'good' },
  wrong: { label: 'Wrong', color: 'danger' },
  failed: { label: 'Failed', color: 'danger' },
  stopped: { label: 'Stopped', color: 'plain' },
}

export function StatusBadge({ status }: { status: AnswerStatus }) {
  const { label, color } = statuses[status]
  return <Badge color={color}>{label}</Badge>
}

const changes: Record<ComparedAnswer['change'], { label: string; color: BadgeColor }> = {
  improved: { label: 'Better', color: 'good' },
  regressed: { label: 'Worse', color: 'danger' },
  same: { label: 'Same', color: 'plain' },
  added: { label: 'Added', color: 'plain' },
  removed: { label: 'Removed', color: 'plain' },
}

export function ChangeBadge({ change }: { change: ComparedAnswer['change'] }) {
  const { label, color } = changes[change]
  return <Badge color={color}>{label}</Badge>
}
