import type { KeptResult } from '../model/history.ts'

export const presentKeptResult = ({ runId, at, rowCount, resultHash, sizeBytes, isPinned }: KeptResult) => ({
  runId,
  at: at.toISOString(),
  rowCount,
  resultHash,
  sizeBytes,
  isPinned,
})
