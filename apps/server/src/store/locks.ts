/** The numbers of our advisory locks in PostgreSQL. Two that were equal would wait for each other. */
export const locks = {
  migration: 7_246_051_113,
  bootstrap: 7_246_051_114,
  firstStart: 7_246_051_115,
} as const

/** The first of two numbers, the second of which says whose; PostgreSQL keeps these apart from the ones above. */
export const locksOfOne = { replay: 7_246, listeners: 7_247, auditRecords: 7_248 } as const
