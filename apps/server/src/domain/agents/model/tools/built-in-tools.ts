import { describeTable } from './describe-table.ts'
import { drawChart } from './draw-chart.ts'
import { explainChangeTool } from './explain-change-tool.ts'
import { listTables } from './list-tables.ts'
import type { ModelTool } from './model-tool.ts'
import { readReference } from './read-reference.ts'
import { runSql } from './run-sql.ts'
import { saveQuery } from './save-query.ts'
import { searchKnowledge } from './search-knowledge.ts'
import type { ToolWorld } from './tool-world.ts'

export function builtInTools(world: ToolWorld): ModelTool[] {
  const makers = [searchKnowledge, listTables, describeTable, runSql, readReference, explainChangeTool, saveQuery, drawChart]
  return makers.map((make) => make(world))
}
