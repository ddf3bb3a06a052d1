/** Writes Parquet files: `node parquet-child.ts`. Its DuckDB cannot read or write outside the folder of its job. */
import duckdb from '@duckdb/node-bindings'
import { doJobs } from '../jobs/do-jobs.ts'
import { parquetStatements, type ParquetRequest } from './parquet-statement.ts'

await doJobs(async (request: ParquetRequest, connection) => {
  for (const statement of parquetStatements(request)) await duckdb.query(connection, statement)
})
