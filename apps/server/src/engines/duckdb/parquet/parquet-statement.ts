export interface ParquetRequest {
  /** The absolute path of an existing folder for this request. It holds `rows.json`; `result.parquet` is written there. */
  folder: string
  /** Column names are unique. */
  columns: { name: string; type: string }[]
  rowCount: number
  /** The size of `rows.json`. */
  rowsBytes: number
  memoryLimitMb: number
}

/** The maximum line length. The largest row, written as an object, is shorter. */
const lineMaxBytes = 64 * 1024 * 1024

const rowGroupRows = 122_880
const rowGroupBytes = 64 * 1024 * 1024

/** A row group is buffered in memory before it is written, so wide rows get smaller groups. */
function rowsPerGroup({ rowCount, rowsBytes }: ParquetRequest): number {
  const rowBytes = rowsBytes / Math.max(1, rowCount)
  return Math.max(1, Math.min(rowGroupRows, Math.floor(rowGroupBytes / Math.max(1, rowBytes))))
}

const text = (value: string) => `'${value.replaceAll("'", "''")}'`
const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`

export function parquetStatements(request: ParquetRequest): string[] {
  const { folder, columns } = request
  // JSON values arrive as strings. Read as JSON, they would become JSON strings, so they are read as text and cast.
  const read = columns.map(({ type }, index) => `${text(String(index))}: ${text(type === 'JSON' ? 'VARCHAR' : type)}`)
  const selected = columns.map(({ name, type }, index) => {
    const column = identifier(String(index))
    return `${type === 'JSON' ? `CAST(${column} AS JSON)` : column} AS ${identifier(name)}`
  })
  return [
    `SET memory_limit = '${request.memoryLimitMb}MiB'`,
    // One thread, because this is less urgent than the statements people wait for.
    `SET threads = 1`,
    `SET TimeZone = 'UTC'`,
    `SET temp_directory = ${text(`${folder}/spill`)}`,
    `SET autoinstall_known_extensions = false`,
    `SET autoload_known_extensions = false`,
    `SET allowed_directories = [${text(`${folder}/`)}]`,
    `SET enable_external_access = false`,
    `SET lock_configuration = true`,
    `COPY (
      SELECT ${selected.join(', ')}
      FROM read_json(${text(`${folder}/rows.json`)}, format = 'newline_delimited', compression = 'uncompressed',
        maximum_object_size = ${lineMaxBytes}, columns = {${read.join(', ')}})
    ) TO ${text(`${folder}/result.parquet`)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${rowsPerGroup(request)})`,
  ]
}
