import { soundRules } from '../store/memory-store.ts'
import type { BrokenEngine } from './broken-engine.ts'

/** Leases never expire, so the work of a dead worker is never claimed again. */
export const leaseNeverExpires: BrokenEngine = {
  name: 'lease never expires',
  noticedBy: [6, 7],
  rules: { ...soundRules, isFree: ({ leaseOwner }) => leaseOwner === null },
}
