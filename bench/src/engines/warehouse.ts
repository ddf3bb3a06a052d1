/** A database with `rowCount` rows in the table `events`, and the simplest way to read them. */
export interface Warehouse {
  name: string
  /** Instead of `rowCount`, if the server is too slow for it. */
  fewerRows?: number
  /** The request that adds it to the service. */
  configuration: Record<string, unknown>
  bare: {
    what: string
    /** Reads all rows into JavaScript values and resolves with their number. */
    read(): Promise<number>
  }
  stop(): Promise<void>
}

export const rowCount = 1_000_000

/** Columns of the types in a typical report; a row has about 70 bytes as JSON. */
export const rowsSql = 'select id, amount, price, name, happened_at from events'
