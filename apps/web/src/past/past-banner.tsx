import { History } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from '../location.tsx'
import { Time } from '../ui/time.tsx'
import { useLocation } from '../use-location.ts'
import { withMoment } from './moment.ts'

/** Says that a page shows the past, and leads back to the present. */
export function PastBanner({ at, children }: { at: string; children?: ReactNode }) {
  const { pathname, search } = useLocation()
  return (
    <aside aria-label="Past state" className="grid gap-3 rounded-lg border border-accent bg-accent-wash px-4 py-3">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <History className="size-4 shrink-0" aria-hidden="true" />
        <span>You are looking at <strong><Time at={at} /></strong></span>
        <span className="max-sm:hidden" aria-hidden="true">·</span>
        <Link href={pathname + withMoment(search, null)} className="font-medium underline">Back to now</Link>
      </p>
      {children}
    </aside>
  )
}

/** Nothing is kept from the time in the URL. */
export function NothingKept({ oldestAt }: { oldestAt: string | null }) {
  const { pathname, search } = useLocation()
  if (oldestAt === null) return <p className="text-soft">No results are kept yet. They appear after the next run.</p>
  return (
    <p className="text-soft">
      The oldest result that is still kept is from{' '}
      <Link href={pathname + withMoment(search, oldestAt)} className="underline"><Time at={oldestAt} /></Link>.
    </p>
  )
}
