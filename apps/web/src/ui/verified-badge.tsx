import { BadgeCheck } from 'lucide-react'
import type { Verification } from '../api/knowledge.ts'
import { Badge } from './badge.tsx'
import { Time } from './time.tsx'

/** Whether the mark still holds: the SQL is the one that was verified. */
export const isVerified = (verification: Verification | null): boolean => verification?.isOutdated === false

/** Says that an admin has verified a query. Without `isInFull`, a mark that no longer holds is not shown. */
export function VerifiedBadge({ verification, isInFull = false }: { verification: Verification | null; isInFull?: boolean }) {
  if (!verification) return null
  if (verification.isOutdated) return isInFull ? <Badge color="warning">SQL changed since it was verified</Badge> : null
  const { verifiedBy, verifiedAt } = verification
  return (
    <Badge color="good">
      <BadgeCheck className="size-3.5" aria-hidden="true" />
      Verified{isInFull && <> by {verifiedBy.name}, <Time at={verifiedAt} /></>}
    </Badge>
  )
}
