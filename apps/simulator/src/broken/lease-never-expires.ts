import { soundRules } from '../store/memory-store.ts'
import type { BrokenEngine } from './broken-engine.ts'

/** A lease has no end: what a dead worker had is nobody's any more. */
export const leaseNeverExpires: BrokenEngine = {
  name: 'lease never expires',
  noticedBy: [6, 7],
  rules: { ...soundRules, isFree: ({ leaseOwner }) => leaseOwner === null },
}
