export interface ParquetRequest {
  /** An existing folder of its own, absolute: the rows stand in it as `rows.json`, and the answer will as `result.parquet`. */
  folder: string
  /** No two of the same name. */
  columns: { name: string; type: string }[]
  rowCount: number
  /** Of `rows.json`. */
  rowsBytes: number
  memoryLimitMb: number
}

/** The longest line that is read; more than the largest row takes when it is written as an object. */
const lineMaxBytes = 64 * 1024 * 1024

const rowGroupRows = 122_880
const rowGroupBytes = 64 * 1024 * 1024

/** A row group is gathered in memory before it is written, so wide rows come in smaller ones. */
function rowsPerGroup({ rowCount, rowsBytes }: ParquetRequest): number {
  const rowBytes = rowsBytes / Math.max(1, rowCount)
  return Math.max(1, Math.min(rowGroupRows, Math.floor(rowGroupBytes / Math.max(1, rowBytes))))
}

const text = (value: string) => `'${value.replaceAll("'", "''")}'`
const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`

export function parquetStatements(request: ParquetRequest): string[] {
  const { folder, columns } = request
  // JSON comes as the text of a string, which the type JSON would take for a string within JSON.
  const read = columns.map(({ type }, index) => `${text(String(index))}: ${text(type === 'JSON' ? 'VARCHAR' : type)}`)
  const selected = columns.map(({ name, type }, index) => {
    const column = identifier(String(index))
    return `${type === 'JSON' ? `CAST(${column} AS JSON)` : column} AS ${identifier(name)}`
  })
  return [
    `SET memory_limit = '${request.memoryLimitMb}MiB'`,
    // One thread: this is work beside the statements that people wait for.
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
