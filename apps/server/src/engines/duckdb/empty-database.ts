import { DuckDBInstance } from '@duckdb/node-api'

/** Creates a DuckDB file without tables. */
export async function makeEmptyDatabase(file: string): Promise<void> {
  const instance = await DuckDBInstance.create(file, { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' })
  instance.closeSync()
}
