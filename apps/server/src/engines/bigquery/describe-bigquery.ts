import type { Column, Table } from '../engine.ts'
import { commentOf } from '../table-comment.ts'
import type { BigqueryConnection } from './bigquery-connection.ts'
import type { BigqueryField } from './bigquery-values.ts'

interface TableResource {
  tableReference: { datasetId: string; tableId: string }
  type?: string
  description?: string
  numRows?: string
  schema?: { fields?: BigqueryField[] }
}

/** Tables are read this many at a time. */
const atATime = 8

/**
 * Tables and views of the project, in alphabetical order. Read table by table, because that is free of charge, unlike a query of
 * INFORMATION_SCHEMA, and has the descriptions.
 */
export async function describeTables(connection: BigqueryConnection, signal: AbortSignal): Promise<Table[]> {
  const datasets = await listAll<{ datasetReference: { datasetId: string } }>({ connection, path: '/datasets', member: 'datasets', signal })
  const paths: string[] = []
  for (const { datasetReference: { datasetId } } of datasets) {
    const path = `/datasets/${encodeURIComponent(datasetId)}/tables`
    const tables = await listAll<TableResource>({ connection, path, member: 'tables', signal })
    paths.push(...tables.map(({ tableReference }) => `${path}/${encodeURIComponent(tableReference.tableId)}`))
  }
  const described: Table[] = []
  for (let at = 0; at < paths.length; at += atATime) {
    const part = paths.slice(at, at + atATime).map((path) => connection.call<TableResource>({ method: 'GET', path, signal }))
    described.push(...(await Promise.all(part)).map(tableOf))
  }
  return described.toSorted((a, b) => compare(a.schema, b.schema) || compare(a.name, b.name))
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

async function listAll<Item>(options: { connection: BigqueryConnection; path: string; member: string; signal: AbortSignal }): Promise<Item[]> {
  const { connection, path, member, signal } = options
  const items: Item[] = []
  let pageToken: string | undefined
  do {
    const parameters = { maxResults: '1000', pageToken }
    const page = await connection.call<Record<string, unknown>>({ method: 'GET', path, parameters, signal })
    items.push(...((page[member] ?? []) as Item[]))
    pageToken = page['nextPageToken'] as string | undefined
  } while (pageToken !== undefined)
  return items
}

function tableOf({ tableReference, type, description, numRows, schema }: TableResource): Table {
  const isView = type === 'VIEW' || type === 'MATERIALIZED_VIEW'
  return {
    schema: tableReference.datasetId,
    name: tableReference.tableId,
    kind: isView ? 'view' : 'table',
    columns: (schema?.fields ?? []).map(columnOf),
    rowEstimate: isView || numRows === undefined ? null : Number(numRows),
    comment: commentOf(description),
  }
}

const columnOf = (field: BigqueryField): Column => ({
  name: field.name,
  type: typeName(field),
  nullable: field.mode !== 'REQUIRED',
  comment: commentOf(field.description),
})

/** The names of types in the API are those of legacy SQL. */
const standardNames: Record<string, string> = { INTEGER: 'INT64', FLOAT: 'FLOAT64', BOOLEAN: 'BOOL', RECORD: 'STRUCT' }

function typeName({ type, mode, fields }: BigqueryField): string {
  const name = standardNames[type] ?? type
  const whole = fields ? `${name}<${fields.map((field) => `${field.name} ${typeName(field)}`).join(', ')}>` : name
  return mode === 'REPEATED' ? `ARRAY<${whole}>` : whole
}
