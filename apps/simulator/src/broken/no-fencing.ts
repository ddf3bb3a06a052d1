import { soundRules } from '../store/memory-store.ts'
import type { BrokenEngine } from './broken-engine.ts'

/** Whoever comes records, whether or not the lease is still theirs. */
export const noFencing: BrokenEngine = {
  name: 'no fencing',
  noticedBy: [1, 2],
  rules: { ...soundRules, isUnderItsLease: () => true },
}
