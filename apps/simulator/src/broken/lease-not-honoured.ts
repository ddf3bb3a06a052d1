import { soundRules } from '../store/memory-store.ts'
import type { BrokenEngine } from './broken-engine.ts'

/** Claims what another worker has. */
export const leaseNotHonoured: BrokenEngine = {
  name: 'lease not honoured',
  noticedBy: [2],
  rules: { ...soundRules, isFree: () => true },
}
