import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { SQLNamespace } from '@codemirror/lang-sql'
import { syntaxTree } from '@codemirror/language'
import type { Table } from '../api/databases.ts'
import { quoteName } from './identifiers.ts'
import { isSavedQuery, shortIdOf, titleOf } from './saved-query-completion.ts'
import type { Dialect } from './sql-editor-props.ts'

/** Completions beyond the keywords of the SQL dialect. */

/** Schemas with their tables and columns: completes tables, and names after a dot. */
export function namespaceOf(tables: Table[], dialect?: Dialect): SQLNamespace {
  const schemas: Record<string, Record<string, SQLNamespace>> = {}
  for (const table of tables.filter((each) => !isSavedQuery(each))) {
    const schema = (schemas[table.schema] ??= {})
    schema[table.name] = {
      self: completionOf({ name: table.name, dialect }, { type: 'class', detail: table.kind, boost: 2 }),
      children: table.columns.map(({ name, type }) =>
        completionOf({ name, dialect }, { type: 'property', detail: type.toLowerCase() }),
      ),
    }
  }
  return schemas
}

type Named = { name: string; dialect: Dialect | undefined }

function completionOf({ name, dialect }: Named, rest: Omit<Completion, 'label'>): Completion {
  return { label: name, apply: quoteName(name, dialect), ...rest }
}

/** Completes columns without a table prefix, from the tables named in the text. */
export function columnSource(tables: Table[], dialect?: Dialect) {
  return (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/[\w]+/)
    if (!word && !context.explicit) return null
    const from = word?.from ?? context.pos
    const before = context.state.sliceDoc(Math.max(0, from - 1), from)
    if (before === '.' || before === '{' || isInQuotes(context)) return null
    const text = context.state.doc.toString().toLowerCase()
    const options = tables.filter((table) => isNamedIn(text, shortIdOf(table) ?? table.name)).flatMap((table) => columnsOf(table, dialect))
    return options.length === 0 ? null : { from, options, validFor: /^\w*$/ }
  }
}

function columnsOf(table: Table, dialect: Dialect | undefined): Completion[] {
  return table.columns.map(({ name, type }) =>
    // Rank columns above keywords: if the text names a table, its columns are the likelier choice.
    completionOf({ name, dialect }, { type: 'property', detail: `${type.toLowerCase()} · ${titleOf(table)}`, boost: 1 }),
  )
}

function isNamedIn(text: string, name: string): boolean {
  const wanted = name.toLowerCase()
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + wanted.length] ?? ' '}`
    if (!/\w/.test(around)) return true
  }
  return false
}

function isInQuotes({ state, pos }: CompletionContext): boolean {
  const { name } = syntaxTree(state).resolveInner(pos, -1)
  return name === 'String' || name === 'LineComment' || name === 'BlockComment'
}

/** Completes parameter names after `{{`. */
export function parameterSource(parameterNames: string[]) {
  return (context: CompletionContext): CompletionResult | null => {
    const opened = context.matchBefore(/\{\{[ \t]*\w*/)
    if (!opened) return null
    const typed = /\w*$/.exec(opened.text)![0]
    const isClosed = /^\w*[ \t]*\}\}/.test(context.state.sliceDoc(context.pos, context.pos + 80))
    const options = parameterNames.map((name) => ({
      label: name,
      type: 'variable',
      detail: 'parameter',
      apply: isClosed ? name : `${name}}}`,
    }))
    return { from: context.pos - typed.length, options, validFor: /^\w*$/ }
  }
}
