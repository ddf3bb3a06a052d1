/** Snowflake's SQL, as far as its literals and comments differ from DuckDB's. Written independently of the service's own lexer. */

const tokens = /"\w+"\.INFORMATION_SCHEMA\.(?:TABLES|COLUMNS)|'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"]|"")*"|\$\$[\s\S]*?\$\$|--[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/|\b[xX]'[^']*'|\bCURRENT_(?:DATABASE|SCHEMA)\(\)/g

/** DuckDB's client for Node drops a byte order mark at the start of a text, so another character takes its place. */
const byteOrderMark = '\ufeff'
const standIn = '\ue000'
export const withByteOrderMarks = (text: string) => text.replaceAll(standIn, byteOrderMark)

export function asDuckdb(sql: string): string {
  return sql.replaceAll(byteOrderMark, standIn).replaceAll(tokens, (token) => {
    if (token.startsWith("'")) return quoted(unescaped(token.slice(1, -1)))
    if (token.startsWith('$$')) return quoted(token.slice(2, -2))
    if (token.startsWith('//')) return `--${token.slice(2)}`
    if (/^x'/i.test(token)) return `unhex(${token.slice(1)})`
    if (token === 'CURRENT_DATABASE()') return `nullif(current_database(), 'memory')`
    if (token === 'CURRENT_SCHEMA()') return 'current_schema()'
    if (token.endsWith('.TABLES')) return tablesView
    if (token.endsWith('.COLUMNS')) return columnsView
    return token
  })
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

const letters: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', 0: '\0' }

const unescaped = (text: string) =>
  text.replaceAll(/''|\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|([\s\S]))/g, (all: string, byte?: string, unit?: string, letter?: string) => {
    if (all === "''") return "'"
    if (letter !== undefined) return letters[letter] ?? letter
    return String.fromCharCode(Number.parseInt((byte ?? unit)!, 16))
  })

const tablesView = `(select schema_name as TABLE_SCHEMA, table_name as TABLE_NAME, 'BASE TABLE' as TABLE_TYPE, estimated_size as ROW_COUNT, comment as COMMENT
    from duckdb_tables() where database_name = current_database()
  union all select schema_name, view_name, 'VIEW', null, comment
    from duckdb_views() where database_name = current_database() and not internal) tables_of_database`

const columnsView = `(select schema_name as TABLE_SCHEMA, table_name as TABLE_NAME, column_name as COLUMN_NAME, data_type as DATA_TYPE,
    case when is_nullable then 'YES' else 'NO' end as IS_NULLABLE, comment as COMMENT, column_index as ORDINAL_POSITION
  from duckdb_columns() where database_name = current_database() and not internal) columns_of_database`

/** Snowflake names the line and the position in it, which counts from 0. */
export function failureBody(error: unknown, sql: string): { code: string; message: string } {
  const message = error instanceof Error ? error.message : String(error)
  if (/interrupt/i.test(message)) return { code: '000604', message: 'SQL execution canceled' }
  const name = /column "(\w+)" not found/i.exec(message)?.[1]
  if (name === undefined) return { code: '002003', message: `SQL compilation error:\n${message}` }
  const before = sql.slice(0, sql.search(new RegExp(`\\b${name}\\b`)))
  const place = `line ${before.split('\n').length} at position ${before.length - before.lastIndexOf('\n') - 1}`
  return { code: '000904', message: `SQL compilation error: error ${place}\ninvalid identifier '${name}'` }
}
