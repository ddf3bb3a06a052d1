import { parseRows } from '@querypost/visualization'
import { Type } from 'typebox'
import type { Table } from '../../../../engines/engine.ts'
import type { EngineResult } from '../../../../model/result.ts'
import { abortAfter } from '../../../../ports/clock.ts'
import { findDatabase } from '../../../../store/databases/databases-table.ts'
import { countStatement } from '../../../cost-limits/within-cost-limits.ts'
import { describeDatabase } from '../../../databases/databases.ts'
import { findTable } from '../../../databases/find-table.ts'
import { quoteName } from '../../../databases/quote-name.ts'
import { bounds } from '../model-limits.ts'
import { cutText, withEllipsis } from '../../../../ports/cut-text.ts'
import { envelop } from '../envelope.ts'
import { defineTool, type ModelTool, ToolFailure } from './model-tool.ts'
import { asToolFailure, withToolStep } from './tool-step.ts'
import type { ToolWorld } from './tool-world.ts'

const name = 'describe_table'
/** How many rows the samples are taken from, and how much of them is shown. */
const sampledRows = 200
const samplesPerColumn = 5
const sampleCharacters = 60
/** A view may be slow; its columns are shown even without samples. */
const sampleWithinMs = 15_000

export function describeTable(world: ToolWorld): ModelTool {
  return defineTool({
    name,
    description: `Shows a table's columns with their types, descriptions and up to ${samplesPerColumn} sample values of each.`,
    input: Type.Object(
      {
        databaseId: Type.String({ description: 'As returned by list_tables' }),
        table: Type.String({ description: 'The table name, or schema.name' }),
      },
      { additionalProperties: false },
    ),
    call: (input) =>
      withToolStep(world.chat, { tool: name, connector: null, input }, async () => {
        const content = world.proposal?.content
        const proposed = content?.kind === 'table' ? content : undefined
        const tables = await describeDatabase(world, world.caller, input.databaseId, { proposed })
        const table = getTable(tables, input.table)
        const samples = await readSamples(world, input.databaseId, table)
        const lines = table.columns.map(({ name: column, type, nullable, comment }, index) => {
          const values = 'values' in samples ? ` e.g. ${samples.values[index]!.join(', ') || '(only null)'}` : ''
          const about = comment === null ? '' : ` (${comment})`
          return `${JSON.stringify(column)} ${type}${nullable ? '' : ' not null'}${about}${values}`
        })
        const { text, isWhole } = cutText(lines.join('\n'), bounds.toolResultCharacters)
        const fault = 'fault' in samples ? `\nno sample values: ${samples.fault}` : ''
        const about = table.comment === null ? '' : `: ${table.comment}`
        const heading = `${table.kind} ${table.schema}.${table.name}${about}`
        const lead = isWhole ? 'All columns.' : 'The first columns; there are more.'
        return envelop(lead, `${heading}\n${text}${fault}`)
      }),
  })
}

function getTable(tables: Table[], named: string): Table {
  const found = findTable(tables, named)
  if (found) return found
  const which = JSON.stringify(named)
  throw new ToolFailure(`There is no table ${which} in this database. Call list_tables to see the tables.`)
}

async function readSamples(
  world: ToolWorld,
  configId: string,
  table: Table,
): Promise<{ values: string[][] } | { fault: string }> {
  const { organizationId } = world.caller
  const database = await findDatabase(world.db, { organizationId, configId })
  if (!database) return { fault: 'the database was deleted.' }
  // What a tool returned is shown to everyone who sees the chat.
  if (database.rowRules) return { fault: 'the database has row rules.' }
  const limit = abortAfter(world.clock, sampleWithinMs)
  try {
    const [schema, name] = [table.schema, table.name].map((each) => quoteName(database.engine, each))
    const sql = `select * from ${schema}.${name} limit ${sampledRows}`
    const signal = AbortSignal.any([limit.signal, world.signal])
    await countStatement(world, { ...world.caller, personId: world.caller.userId }, database, sql)
    const result = await world.engines.engineOf(database).run({ sql, signal })
    return { values: await distinctValues(result, table.columns.length) }
  } catch (error) {
    world.signal.throwIfAborted()
    return { fault: limit.signal.aborted ? 'reading them took too long.' : asToolFailure(error).message }
  } finally {
    limit.cancel()
  }
}

async function distinctValues(result: EngineResult, columnCount: number): Promise<string[][]> {
  const values = Array.from({ length: columnCount }, () => new Set<string>())
  for await (const batch of result.batches) {
    for (const row of parseRows(`[${Buffer.from(batch.json).toString()}]`)) {
      row.forEach((value, index) => {
        const found = values[index]
        if (value === null || !found || found.size >= samplesPerColumn) return
        found.add(withEllipsis(JSON.stringify(value), sampleCharacters))
      })
    }
  }
  return values.map((found) => Array.from(found))
}
