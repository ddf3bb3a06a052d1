import { bigquery } from '../bigquery/bigquery-definition.ts'
import { clickhouse } from '../clickhouse/clickhouse-definition.ts'
import type { EngineDefinition } from '../definition.ts'
import { duckdb } from '../duckdb/duckdb-definition.ts'
import { mysql } from '../mysql/mysql-definition.ts'
import { postgres } from '../postgres/postgres-definition.ts'
import type { Syntax } from '../sql/syntax.ts'
import { redshift } from '../redshift/redshift-definition.ts'
import { snowflake } from '../snowflake/snowflake-definition.ts'
import { sqlite } from '../sqlite/sqlite-definition.ts'
import { trino } from '../trino/trino-definition.ts'

/** The engines, in the order in which they are offered. Everything else that depends on the kind of an engine reads this list. */
export const definitions = [duckdb, postgres, mysql, clickhouse, bigquery, trino, snowflake, redshift, sqlite] as const

/** The engine inside the service, which also reads stored results and imports files. Text without a database is in its dialect. */
export const embeddedEngine = duckdb.kind

type Definition = (typeof definitions)[number]
type On<Place extends EngineDefinition['place']['on']> = Extract<Definition, { place: { on: Place } }>
export type EngineKind = Definition['kind']
export type FileEngine = On<'file'>['kind']
export type ServerEngine = On<'server'>['kind']

export const engineKinds = definitions.map(({ kind }) => kind)
export const fileEngines = kindsOn<FileEngine>('file')
export const serverEngines = kindsOn<ServerEngine>('server')

const byKind = new Map<string, EngineDefinition>(definitions.map((definition) => [definition.kind, definition]))

/** Throws for a kind that is not registered, as after a downgrade. */
export function definitionOf(kind: string): EngineDefinition {
  const definition = byKind.get(kind)
  if (!definition) throw new Error(`This version of the service has no engine of the kind ${JSON.stringify(kind)}.`)
  return definition
}

export const syntaxOf = (kind: string): Syntax => definitionOf(kind).syntax

function kindsOn<Kind extends EngineKind>(place: EngineDefinition['place']['on']): Kind[] {
  return definitions.filter((each) => each.place.on === place).map(({ kind }) => kind as Kind)
}
