/** A database with `rowCount` rows in the table `events`, and the barest way to read them. */
export interface Warehouse {
  name: string
  /** What the service is told to add it. */
  configuration: Record<string, unknown>
  bare: {
    what: string
    /** Reads every row to values of JavaScript, and says how many there were. */
    read(): Promise<number>
  }
  stop(): Promise<void>
}

export const rowCount = 1_000_000

/** A row of each of the kinds that a report is made of: about 70 bytes as JSON. */
export const rowsSql = 'select id, amount, price, name, happened_at from events'
