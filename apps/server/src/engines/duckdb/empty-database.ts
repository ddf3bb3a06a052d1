import { DuckDBInstance } from '@duckdb/node-api'

/** Writes a DuckDB file without a table in it. */
export async function makeEmptyDatabase(file: string): Promise<void> {
  const instance = await DuckDBInstance.create(file, { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' })
  instance.closeSync()
}
