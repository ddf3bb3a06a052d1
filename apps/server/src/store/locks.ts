/** The keys of the service's advisory locks in PostgreSQL. They must be distinct. */
export const locks = {
  migration: 7_246_051_113,
  bootstrap: 7_246_051_114,
  firstStart: 7_246_051_115,
} as const

/** The first key of two-key locks; the second identifies the object. PostgreSQL keeps these separate from single-key locks. */
export const locksOfOne = { replay: 7_246, listeners: 7_247, auditRecords: 7_248, viewerRuns: 7_249, slackThread: 7_250, deliveryOrder: 7_251, workers: 7_252, partitions: 7_253 } as const
