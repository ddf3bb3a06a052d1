import type { Connection } from 'mysql2'

/** Runs one of the service's own small statements and returns all rows at once. */
export function queryRows(connection: Connection, sql: string): Promise<unknown[][]> {
  return new Promise((resolve, reject) => {
    connection.query({ sql, rowsAsArray: true }, (error, rows) => {
      if (error) reject(error)
      else resolve(rows as unknown[][])
    })
  })
}
