import type { ReactNode } from 'react'

export type BadgeColor = 'plain' | 'accent' | 'good' | 'warning' | 'danger'

const colors: Record<BadgeColor, string> = {
  plain: 'bg-raised text-soft',
  accent: 'bg-accent-wash text-accent',
  good: 'bg-good-wash text-good',
  warning: 'bg-warning-wash text-warning',
  danger: 'bg-danger-wash text-danger',
}

/** A short label for the item next to it. */
export function Badge({ color = 'plain', children }: { color?: BadgeColor; children: ReactNode }) {
  return (
    <span className={`inline-flex items-center gap-1 rounded px-1.5 py-0.5 text-xs leading-4 font-medium whitespace-nowrap ${colors[color]}`}>
      {children}
    </span>
  )
}
