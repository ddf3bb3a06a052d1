import type { UsedKnowledge } from '../../model/knowledge.ts'
import type { KnowledgeCandidates } from './knowledge-candidates.ts'
import { columnDescriptionOf, type DescribedTable, descriptionOf } from './table-descriptions.ts'

/** The part of an organization's knowledge that is put into a prompt. */
export interface ChosenKnowledge {
  /** Written by admins: instructions and metrics. */
  trusted: string[]
  /** Everything that comes from databases and dbt or that any member can change: verified queries, metrics of dbt and tables. */
  untrusted: string[]
  used: UsedKnowledge[]
}

/** How much of the budget each kind may take at most. The kinds come in this order; space that one leaves is free for the next. */
const shares = { instructions: 0.5, metrics: 0.7, verifiedQueries: 0.85, dbtMetrics: 0.9, tables: 1 } as const

interface Entry {
  text: string
  used: UsedKnowledge
}

/**
 * Chooses what fits into `budget` characters: instructions, metrics, verified queries, metrics of dbt, then tables, each in the order of the
 * candidates. An entry that is too long for its share is left out, and shorter ones after it may still fit.
 */
export function chooseKnowledge(candidates: KnowledgeCandidates, budget: number): ChosenKnowledge {
  let spent = 0
  const fitting = (entries: Entry[], share: number) =>
    entries.filter(({ text }) => {
      if (spent + text.length > budget * share) return false
      spent += text.length
      return true
    })
  const instructions = fitting(candidates.instructions.map(instructionsEntry), shares.instructions)
  const metrics = fitting(candidates.metrics.map(metricEntry), shares.metrics)
  const queries = fitting(candidates.verifiedQueries.map(queryEntry), shares.verifiedQueries)
  const dbtMetrics = fitting(candidates.dbtMetrics.map(dbtMetricEntry), shares.dbtMetrics)
  const tables = fitting(candidates.tables.map(tableEntry), shares.tables)
  return {
    trusted: [...instructions, ...metrics].map(({ text }) => text),
    untrusted: [...queries, ...dbtMetrics, ...tables].map(({ text }) => text),
    used: [...metrics, ...queries, ...instructions, ...dbtMetrics, ...tables].map(({ used }) => used),
  }
}

type Candidate<Kind extends keyof KnowledgeCandidates> = KnowledgeCandidates[Kind][number]

function instructionsEntry({ database, text }: Candidate<'instructions'>): Entry {
  const heading = database
    ? `Instructions for the database ${JSON.stringify(database.name)} (id ${database.id}):`
    : 'Instructions of the organization:'
  const name = database ? `for ${database.name}` : 'of the organization'
  return { text: `${heading}\n${text}`, used: { kind: 'instructions', name, href: '/knowledge' } }
}

function metricEntry({ content, itemId }: Candidate<'metrics'>): Entry {
  const { name, synonyms, unit, description, definition } = content
  const lines = [
    `Metric ${JSON.stringify(name)}${unit === null ? '' : ` in ${unit}`}${description === '' ? '' : `: ${description}`}`,
    ...(synonyms.length > 0 ? [`Also called ${synonyms.map((each) => JSON.stringify(each)).join(', ')}.`] : []),
    definition.kind === 'sql'
      ? `SQL, in the database with the id ${definition.databaseId}:\n${definition.sql}`
      : `Computed by the saved query ${definition.shortId}: read it with read_reference.`,
  ]
  return { text: lines.join('\n'), used: { kind: 'metric', name, href: `/knowledge/metrics#${itemId}` } }
}

function queryEntry({ shortId, title, description, sql, databaseId }: Candidate<'verifiedQueries'>): Entry {
  const text = [
    `verified query ${shortId} ${JSON.stringify(title)}, in the database ${databaseId}`,
    ...(description ? [indented(description)] : []),
    indented(sql),
  ].join('\n')
  return { text, used: { kind: 'verified_query', name: title, href: `/q/${shortId}` } }
}

function dbtMetricEntry({ name, label, description, definition, databaseId, project }: Candidate<'dbtMetrics'>): Entry {
  const called = label === name ? '' : `, called ${JSON.stringify(label)}`
  const text = [
    `metric ${JSON.stringify(name)}${called} of the dbt project ${JSON.stringify(project)}, in the database ${databaseId}`,
    ...(description ? [indented(oneLine(description))] : []),
    ...(definition ? [indented(`computed as ${oneLine(definition)}`)] : []),
  ].join('\n')
  return { text, used: { kind: 'dbt_metric', name: label, href: `/databases/${databaseId}` } }
}

/** Enough to write SQL with; describe_table shows the rest. */
const columnsMax = 40

export function tableEntry(table: DescribedTable): Entry {
  const { databaseId, databaseName, schema, name, kind, columns, columnCount, rowEstimate } = table
  const estimate = rowEstimate === null ? '' : `, about ${rowEstimate} rows`
  const description = descriptionOf(table)
  const lines = columns.slice(0, columnsMax).map((column) => {
    const about = columnDescriptionOf(table, column)
    return `  ${JSON.stringify(column.name)} ${column.type}${about ? `: ${oneLine(about)}` : ''}`
  })
  const more = columnCount - lines.length
  const text = [
    `${kind} ${schema}.${name} in the database ${JSON.stringify(databaseName)}, id ${databaseId}${estimate}`,
    ...(description ? [indented(oneLine(description))] : []),
    ...lines,
    ...(more > 0 ? [`  and ${more} more columns`] : []),
  ].join('\n')
  return { text, used: { kind: 'table', name: `${schema}.${name}`, href: `/databases/${databaseId}` } }
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ')
const indented = (text: string) => text.replaceAll(/^/gm, '  ')
