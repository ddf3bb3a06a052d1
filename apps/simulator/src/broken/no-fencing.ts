import { soundRules } from '../store/memory-store.ts'
import type { BrokenEngine } from './broken-engine.ts'

/** Accepts records from workers that have lost their lease. */
export const noFencing: BrokenEngine = {
  name: 'no fencing',
  noticedBy: [1, 2],
  rules: { ...soundRules, isUnderItsLease: () => true },
}
