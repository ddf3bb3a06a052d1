import type { Connection } from 'mysql2'

/** For small statements of our own: all rows at once. */
export function ask(connection: Connection, sql: string): Promise<unknown[][]> {
  return new Promise((resolve, reject) => {
    connection.query({ sql, rowsAsArray: true }, (error, rows) => {
      if (error) reject(error)
      else resolve(rows as unknown[][])
    })
  })
}
