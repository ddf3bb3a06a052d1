import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { Table } from '../api/databases.ts'
import { quoteName } from './identifiers.ts'

/** Completes saved queries that SQL reads as tables: `ref('k7Qm2xVbNd')`. The service lists them as tables with that name. */

const refName = /^ref\('(\w{10})'\)$/

/** The short id of a saved query, if the table is one. */
export const shortIdOf = ({ name }: Pick<Table, 'name'>): string | undefined => refName.exec(name)?.[1]

export const isSavedQuery = (table: Pick<Table, 'name'>): boolean => shortIdOf(table) !== undefined

/** What people call a table: a saved query has a title. */
export const titleOf = ({ name, comment }: Pick<Table, 'name' | 'comment'>): string => (isSavedQuery({ name }) ? (comment ?? name) : name)

/** Completes `ref('…')` from a part of a title or id, and the columns after the alias of one. */
export function savedQuerySource(tables: Table[]) {
  const saved = tables.filter(isSavedQuery)
  return (context: CompletionContext): CompletionResult | null => {
    if (saved.length === 0) return null
    return columnsAfterAlias(context, saved) ?? callsOfRef(context, saved) ?? titles(context, saved)
  }
}

const optionOf = (table: Table, apply: NonNullable<Completion['apply']> = table.name): Completion => ({
  label: titleOf(table),
  detail: table.name,
  type: 'class',
  apply,
  boost: 2,
})

const replaceCall =
  (name: string, closed: number): Exclude<Completion['apply'], string | undefined> =>
  (view, _, from, to) =>
    view.dispatch({ changes: { from, to: to + closed, insert: name }, selection: { anchor: from + name.length } })

/** After `ref(`, with or without a quote. */
function callsOfRef(context: CompletionContext, saved: Table[]): CompletionResult | null {
  const opened = context.matchBefore(/\bref\s*\(\s*'?[^'()\n]*$/i)
  if (!opened) return null
  const typed = opened.text.replace(/^ref\s*\(\s*'?/i, '').trim().toLowerCase()
  const found = saved.filter((table) => `${titleOf(table)} ${table.name}`.toLowerCase().includes(typed))
  // An editor closes the quote and the parenthesis by itself.
  const closed = /^'?\)?/.exec(context.state.sliceDoc(context.pos, context.pos + 2))![0].length
  const options = found.map((table) => optionOf(table, replaceCall(table.name, closed)))
  return { from: opened.from, options, filter: false }
}

function titles(context: CompletionContext, saved: Table[]): CompletionResult | null {
  const word = context.matchBefore(/(?<![.\w{'"])\w+$/)
  return word && { from: word.from, options: saved.map((table) => optionOf(table)), validFor: /^\w*$/ }
}

/** After `r.`, where `ref('…') r` or `ref('…') as r` is in the text. */
function columnsAfterAlias(context: CompletionContext, saved: Table[]): CompletionResult | null {
  const typed = context.matchBefore(/\b[A-Za-z_]\w*\.\w*$/)
  if (!typed) return null
  const [alias] = typed.text.split('.')
  const call = new RegExp(`\\bref\\s*\\(\\s*'(\\w{10})'[^()]*\\)\\s+(?:as\\s+)?${alias!}\\b`, 'i').exec(context.state.doc.toString())
  const table = saved.find((each) => shortIdOf(each) === call?.[1])
  if (!table) return null
  const options = table.columns.map(({ name, type }) => ({ label: name, apply: quoteName(name), type: 'property', detail: type }))
  return { from: typed.from + alias!.length + 1, options, validFor: /^\w*$/ }
}
