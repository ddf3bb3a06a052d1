/** How large an answer becomes at most, in characters unless said otherwise. `docs/mcp.md` tells people of them. */
export const bounds = {
  /** Items of a list. */
  pageSizeDefault: 20,
  pageSizeMaximum: 50,
  /** Of texts in lists: enough to choose by. */
  listedText: 200,
  description: 2_000,
  sql: 8_000,
  summary: 8_000,
  failureReason: 1_000,
  parameterValue: 200,
  /** Rows of a result: how many, and how much of them. */
  rowsDefault: 50,
  rowsMaximum: 500,
  rowsAfterRun: 20,
  rowsCharacters: 12_000,
  columnsCharacters: 4_000,
  cell: 500,
  /** Reading past rows costs time, and nobody reads a table this far: they aggregate. */
  offsetMaximum: 100_000,
  tables: 200,
  /** Of a table, and of a result that is only described. */
  columns: 300,
  listedColumns: 100,
  waitSecondsDefault: 20,
  /** Below what clients and proxies wait for a silent answer. */
  waitSecondsMaximum: 45,
} as const
