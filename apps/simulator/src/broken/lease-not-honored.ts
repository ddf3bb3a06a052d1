import { soundRules } from '../store/memory-store.ts'
import type { BrokenEngine } from './broken-engine.ts'

/** Claims deliveries that another worker has leased. */
export const leaseNotHonored: BrokenEngine = {
  name: 'lease not honored',
  noticedBy: [2],
  rules: { ...soundRules, isFree: () => true },
}
