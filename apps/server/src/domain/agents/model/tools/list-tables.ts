import { Type } from 'typebox'
import type { Table } from '../../../../engines/engine.ts'
import type { AnalyticalDatabase } from '../../../../model/database.ts'
import { describeDatabase, listDatabases } from '../../../databases/databases.ts'
import { bounds } from '../model-limits.ts'
import { cutText } from '../../../../ports/cut-text.ts'
import { envelop } from '../envelope.ts'
import { defineTool, type ModelTool } from './model-tool.ts'
import { asToolFailure, withToolStep } from './tool-step.ts'
import type { ToolWorld } from './tool-world.ts'

const name = 'list_tables'
const cutLead = 'The first databases and tables; there are more. Query information_schema.tables with run_sql.'

/** Lists all databases of the organization. One that cannot be reached is marked as such and does not hide the others. */
export function listTables(world: ToolWorld): ModelTool {
  return defineTool({
    name,
    description: 'Lists the databases with their ids, and the tables and views in each.',
    input: Type.Object({}, { additionalProperties: false }),
    call: (input) =>
      withToolStep(world.chat, { tool: name, connector: null, input }, async () => {
        const databases = await listDatabases(world, world.caller)
        if (databases.length === 0) return 'There are no databases.'
        const described = await Promise.all(databases.map((database) => describe(world, database)))
        const { text, isWhole } = cutText(described.join('\n\n'), bounds.toolResultCharacters)
        return envelop(isWhole ? 'All databases.' : cutLead, text)
      }),
  })
}

async function describe(world: ToolWorld, { id, name, engine }: AnalyticalDatabase): Promise<string> {
  const heading = `database ${JSON.stringify(name)}, id ${id}, SQL dialect ${engine}`
  try {
    const tables = await describeDatabase(world, world.caller, id)
    return [heading, ...(tables.length > 0 ? tables.map(line) : ['  no tables'])].join('\n')
  } catch (error) {
    return `${heading}\n  cannot be reached: ${asToolFailure(error).message}`
  }
}

function line({ schema, name, kind, columns, rowEstimate }: Table): string {
  const columnCount = columns.length === 1 ? '1 column' : `${columns.length} columns`
  const rows = rowEstimate === null ? '' : `, about ${rowEstimate} rows`
  return `  ${schema}.${name} (${kind}, ${columnCount}${rows})`
}
