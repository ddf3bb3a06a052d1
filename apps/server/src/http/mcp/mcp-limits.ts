/** Limits on the size of an answer, in characters unless noted otherwise. Documented in `docs/mcp.md`. */
export const bounds = {
  /** Items of a list. */
  pageSizeDefault: 20,
  pageSizeMaximum: 50,
  /** Texts in lists: enough to choose an item. */
  listedText: 200,
  description: 2_000,
  sql: 8_000,
  summary: 8_000,
  failureReason: 1_000,
  parameterValue: 200,
  /** Rows of a result: their number and their size. */
  rowsDefault: 50,
  rowsMaximum: 500,
  rowsAfterRun: 20,
  rowsCharacters: 12_000,
  columnsCharacters: 4_000,
  cell: 500,
  /** Skipping rows takes time, and a model should aggregate instead of reading this far. */
  offsetMaximum: 100_000,
  /** Tiles of a board, and the beginning of each one's result. */
  tiles: 30,
  tileRows: 5,
  tileColumns: 8,
  tileCell: 100,
  tables: 200,
  metrics: 200,
  /** Columns of a table, and of a result that is only described. */
  columns: 300,
  listedColumns: 100,
  listedOptions: 50,
  /** Exchanges of a chat, and the newest steps of each. */
  exchanges: 5,
  steps: 10,
  waitSecondsDefault: 20,
  /** Shorter than the idle timeout of clients and proxies. */
  waitSecondsMaximum: 45,
} as const
