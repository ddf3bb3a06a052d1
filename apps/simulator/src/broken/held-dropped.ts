import { soundRules } from '../store/memory-store.ts'
import type { BrokenEngine } from './broken-engine.ts'

/** Drops pending deliveries when their endpoint is disabled. */
export const heldDropped: BrokenEngine = {
  name: 'held dropped',
  noticedBy: [1],
  rules: { ...soundRules, hold: (rows, delivery) => rows.remove(delivery) },
}
