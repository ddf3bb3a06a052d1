const maxTables = 3
const maxWords = 6

/**
 * A name for the result of SQL that nobody has saved: its tables, or its first words where it reads from none. It is for people,
 * so a guess is good enough; the SQL is not parsed.
 */
export function nameOfSql(sql: string): string {
  const plain = sql
    .replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
    .replaceAll(/'(?:[^']|'')*'/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const tables = tablesIn(plain)
  if (tables.length > 0) return tables.slice(0, maxTables).join(', ')
  return (plain.match(/[\p{L}\p{N}_.*]+/gu) ?? []).slice(0, maxWords).join(' ')
}

const name = String.raw`(?:"[^"]+"|\x60[^\x60]+\x60|[\p{L}_][\p{L}\p{N}_]*)`
const sources = new RegExp(String.raw`\b(?:from|join)\s+(${name}(?:\.${name})*)(?!\s*\()(?![\p{L}\p{N}_])`, 'giu')
const commonTables = new RegExp(String.raw`(${name})\s+as\s+(?:(?:not\s+)?materialized\s+)?\(`, 'giu')

function tablesIn(sql: string): string[] {
  const common = new Set([...sql.matchAll(commonTables)].map(([, found]) => unquoted(found!)))
  const found = [...sql.matchAll(sources)].map(([, path]) => unquoted(path!.split('.').at(-1)!))
  return [...new Set(found)].filter((table) => !common.has(table))
}

const unquoted = (text: string) => text.replaceAll(/^["`]|["`]$/g, '')
