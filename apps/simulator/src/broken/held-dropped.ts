import { soundRules } from '../store/memory-store.ts'
import type { BrokenEngine } from './broken-engine.ts'

/** What is pending when its endpoint is disabled is thrown away. */
export const heldDropped: BrokenEngine = {
  name: 'held dropped',
  noticedBy: [1],
  rules: { ...soundRules, hold: (rows, delivery) => rows.remove(delivery) },
}
