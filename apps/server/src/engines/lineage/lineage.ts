/**
 * Which tables and columns a query reads, from its SQL alone. It is not a parser: it knows where names of tables can be, in all dialects.
 *
 * - A *named* column has its table or alias before it, so it certainly belongs to that table.
 * - A *loose* column has none. It may belong to any table of the query.
 * - The lineage is *incomplete* if something in the SQL may read more: a table function, a file, or text that versions of the same
 *   database read differently.
 */
import type { Dialect } from '../../model/database.ts'
import { readRefCalls } from './ref-calls.ts'
import { embeddedEngine } from '../registry/definitions.ts'
import { readTokens, type Token } from './sql-tokens.ts'

export interface Lineage {
  tables: ReadTable[]
  /** In lower case. */
  looseColumns: string[]
  /** Short ids. */
  references: string[]
  isComplete: boolean
}

export interface ReadTable {
  /** Null if the SQL names none. */
  schema: string | null
  name: string
  /** Named columns, in lower case. */
  columns: string[]
  /** Whether all columns are read, by `*`. */
  readsAllColumns: boolean
}

export function readLineage(sql: string, dialect: Dialect): Lineage {
  const tokens = readTokens(sql, dialect)
  const references = dialect === embeddedEngine ? [...new Set(readRefCalls(sql).calls.map(({ shortId }) => shortId))] : []
  const found = findTables(tokens)
  const columns = findColumns(tokens, found)
  const tables = new Map<string, ReadTable>()
  for (const { schema, name, alias } of found.tables) {
    const key = `${schema ?? ''}.${name}`.toLowerCase()
    const table = tables.get(key) ?? { schema, name, columns: [], readsAllColumns: false }
    const names = new Set([alias, name].map((each) => each?.toLowerCase()))
    const named = columns.named.filter(({ table: of }) => names.has(of)).map(({ column }) => column)
    tables.set(key, {
      ...table,
      columns: [...new Set([...table.columns, ...named.filter((column) => column !== '*')])],
      readsAllColumns: table.readsAllColumns || columns.hasStar || named.includes('*'),
    })
  }
  const isComplete = found.isComplete && !tokens.some(({ kind }) => kind === 'unclear')
  return { tables: [...tables.values()], looseColumns: columns.loose, references, isComplete }
}

/** Whether a query reads a column of a table; `maybe` if the SQL does not say. */
export function readsColumn(lineage: Lineage, table: { schema: string; name: string }, column: string): 'yes' | 'maybe' | 'no' {
  const read = lineage.tables.filter((each) => isTable(each, table))
  if (read.length === 0) return lineage.isComplete ? 'no' : 'maybe'
  const wanted = column.toLowerCase()
  if (read.some(({ columns }) => columns.includes(wanted))) return 'yes'
  if (!lineage.looseColumns.includes(wanted)) return read.some(({ readsAllColumns }) => readsAllColumns) ? 'maybe' : 'no'
  return lineage.tables.length === 1 && lineage.references.length === 0 ? 'yes' : 'maybe'
}

/** A table that the SQL names without a schema may be in any. */
export const isTable = (read: Pick<ReadTable, 'schema' | 'name'>, table: { schema: string; name: string }): boolean =>
  read.name.toLowerCase() === table.name.toLowerCase() && (read.schema === null || read.schema.toLowerCase() === table.schema.toLowerCase())

interface NamedTable {
  schema: string | null
  name: string
  alias: string | undefined
}

interface FoundTables {
  tables: NamedTable[]
  /** Positions of tokens that are names of tables, aliases and common table expressions. */
  used: Set<number>
  /** In lower case. */
  names: Set<string>
  isComplete: boolean
}

const isName = (token: Token | undefined): token is Token => token?.kind === 'name' || (token?.kind === 'word' && !keywords.has(token.text))

/** Keywords that can follow a table or a column, so they are no aliases. */
const keywords = new Set(
  ('all and any anti array as asc asof between by case cast cross desc distinct else end except exists fetch filter final first following for from full ' +
    'global group having ilike in inner intersect interval into is join last lateral left like limit natural not null nulls offset on only or ' +
    'order outer over partition positional pivot preceding prewhere qualify range recursive right row rows sample select semi set settings ' +
    'straight_join tablesample then true false unbounded union unpivot using values when where window with within').split(' '),
)

/** In the parentheses of these functions, FROM does not begin a list of tables: `extract(year from day)`. */
const functionsWithFrom = new Set(['extract', 'substring', 'substr', 'trim', 'overlay', 'position', 'ltrim', 'rtrim'])

/** Table functions that read no table. */
const harmlessFunctions = new Set(['ref', 'range', 'generate_series', 'unnest', 'numbers', 'generate_subscripts', 'json_each', 'jsonb_each', 'jsonb_array_elements', 'json_array_elements', 'json_table', 'regexp_split_to_table', 'string_to_table', 'arrayjoin'])

function findTables(tokens: Token[]): FoundTables {
  const withNames = commonTableExpressions(tokens)
  const found: FoundTables = { tables: [], used: new Set(), names: new Set(withNames), isComplete: true }
  /** For each open parenthesis: whether FROM belongs to a function, and whether a list of tables is being read. */
  const levels = [{ isFunctionWithFrom: false, isInFrom: false }]
  let expectsTable = false
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    const level = levels.at(-1)!
    if (token.text === '(' && token.kind === 'symbol') {
      levels.push({ isFunctionWithFrom: functionsWithFrom.has(tokens[at - 1]?.text ?? ''), isInFrom: expectsTable })
      continue
    }
    if (token.text === ')' && token.kind === 'symbol') {
      if (levels.length > 1) levels.pop()
      expectsTable = false
      continue
    }
    if (token.kind === 'word' && (token.text === 'from' || token.text === 'join' || token.text === 'straight_join')) {
      const isClause = token.text !== 'from' || (!level.isFunctionWithFrom && tokens[at - 1]?.text !== 'distinct')
      expectsTable = isClause
      if (isClause) level.isInFrom = true
      continue
    }
    if (token.text === ',' && token.kind === 'symbol') {
      expectsTable = level.isInFrom
      continue
    }
    if (endsFrom.has(token.text) && token.kind === 'word') {
      level.isInFrom = false
      expectsTable = false
      continue
    }
    if (!expectsTable || (token.kind === 'word' && (token.text === 'lateral' || token.text === 'only'))) continue
    expectsTable = false
    if (!isName(token)) {
      // A file, a parameter, or something unknown.
      found.isComplete = false
      continue
    }
    at = readTable(tokens, at, { found, withNames })
  }
  return found
}

const endsFrom = new Set(['select', 'where', 'group', 'having', 'order', 'limit', 'union', 'intersect', 'except', 'window', 'qualify', 'on', 'using', 'prewhere', 'offset', 'fetch', 'settings', 'values'])

/** Reads a name with its schema and alias, and returns the position of its last token. */
function readTable(tokens: Token[], from: number, { found, withNames }: { found: FoundTables; withNames: Set<string> }): number {
  const parts = [tokens[from]!]
  let at = from
  while (tokens[at + 1]?.text === '.' && tokens[at + 2]) parts.push(tokens[(at += 2)]!)
  for (let used = from; used <= at; used++) found.used.add(used)
  if (tokens[at + 1]?.text === '(') {
    if (!harmlessFunctions.has(parts.at(-1)!.text.toLowerCase())) found.isComplete = false
    return at
  }
  let aliasAt = tokens[at + 1]?.text === 'as' ? at + 2 : at + 1
  if (tokens[aliasAt]?.text === 'final') aliasAt++
  const alias = isName(tokens[aliasAt]) && tokens[aliasAt + 1]?.text !== '.' ? tokens[aliasAt] : undefined
  if (alias) found.used.add(aliasAt)
  const name = parts.at(-1)!.text
  const isWithName = parts.length === 1 && withNames.has(name.toLowerCase())
  for (const each of [name, alias?.text]) if (each !== undefined) found.names.add(each.toLowerCase())
  if (!isWithName) found.tables.push({ schema: parts.at(-2)?.text ?? null, name, alias: alias?.text })
  return alias ? aliasAt : at
}

/** The names in `with a as (…), b (x) as (…)`, in lower case. */
function commonTableExpressions(tokens: Token[]): Set<string> {
  const names = new Set<string>()
  if (!tokens.some(({ text, kind }) => kind === 'word' && text === 'with')) return names
  for (let at = 0; at < tokens.length; at++) {
    if (!(tokens[at]!.kind === 'word' && tokens[at]!.text === 'as')) continue
    let opening = at + 1
    while (tokens[opening]?.text === 'not' || tokens[opening]?.text === 'materialized') opening++
    if (tokens[opening]?.text !== '(') continue
    let name = at - 1
    if (tokens[name]?.text === ')') while (name > 0 && tokens[name]!.text !== '(') name--
    if (tokens[name]?.text === '(') name--
    const before = tokens[name - 1]?.text
    if (isName(tokens[name]) && (before === 'with' || before === 'recursive' || before === ',')) names.add(tokens[name]!.text.toLowerCase())
  }
  return names
}

interface FoundColumns {
  named: { table: string; column: string }[]
  loose: string[]
  hasStar: boolean
}

function findColumns(tokens: Token[], { used, names }: FoundTables): FoundColumns {
  const named: FoundColumns['named'] = []
  const loose = new Set<string>()
  let hasStar = false
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    const before = tokens[at - 1]
    if (token.text === '*' && token.kind === 'symbol') {
      if (before?.text !== undefined && beforeStar.has(before.text)) hasStar = true
      continue
    }
    if (used.has(at) || (token.kind !== 'name' && token.kind !== 'word')) continue
    // The name of a column of the result, or a type: `count(*) as orders`, `cast(n as text)`, `n::text`.
    if (before && ((before.kind === 'word' && before.text === 'as') || before.text === '::')) continue
    if (tokens[at + 1]?.text === '.' && tokens[at + 2] && before?.text !== '.') {
      const chain = [token]
      while (tokens[at + 1]?.text === '.' && tokens[at + 2]) chain.push(tokens[(at += 2)]!)
      const texts = chain.map(({ text }) => text.toLowerCase())
      // `schema.table.column`, `table.column.field`: whichever part is a table, the next one is its column.
      const tableAt = texts.findIndex((text) => names.has(text))
      if (tableAt !== -1 && texts[tableAt + 1] !== undefined) named.push({ table: texts[tableAt]!, column: texts[tableAt + 1]! })
      else loose.add(texts[0]!)
      continue
    }
    const isFunction = tokens[at + 1]?.text === '(' && token.kind === 'word'
    if (!isFunction && isName(token)) loose.add(token.text.toLowerCase())
  }
  // A whole row: `select o from orders o`.
  const wholeRows = [...loose].filter((name) => names.has(name))
  return { named: [...named, ...wholeRows.map((table) => ({ table, column: '*' }))], loose: [...loose].filter((name) => !names.has(name)), hasStar }
}

const beforeStar = new Set(['select', 'distinct', 'all', ','])
