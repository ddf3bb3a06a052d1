import { Type } from 'typebox'
import { storeQuery } from '../../../queries/queries.ts'
import { runQueryToEnd } from '../../query-runs.ts'
import { bounds } from '../model-limits.ts'
import { defineTool, type ModelTool } from './model-tool.ts'
import { withQueryStep } from './query-step.ts'
import type { ToolWorld } from './tool-world.ts'

/** Stores the SQL as a query and runs it in the ordinary way, so that every figure has a run to link to. */
export function runSql(world: ToolWorld): ModelTool {
  return defineTool({
    name: 'run_sql',
    description:
      'Runs one read-only SQL statement against a database and shows its result: ' +
      `at most ${bounds.rows} rows or ${bounds.toolResultCharacters / 1024} KB of it. ` +
      'Aggregate in SQL rather than reading many rows.',
    input: Type.Object(
      {
        databaseId: Type.String({ description: 'As returned by list_tables' }),
        sql: Type.String({ minLength: 1, description: 'One read-only statement' }),
      },
      { additionalProperties: false },
    ),
    call: ({ databaseId, sql }) =>
      withQueryStep(world, { reference: null, sql, parameterValues: {} }, async (onStarted) => {
        const { caller, notBefore, signal } = world
        const query = await storeQuery(world, caller, { sql, analyticalDatabaseConfigId: databaseId })
        return runQueryToEnd(world, caller, { queryId: query.id, notBefore, signal, onStarted })
      }),
  })
}
