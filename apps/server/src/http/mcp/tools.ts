import type { Tool } from './tool.ts'
import { getAutomationRun, listAutomations, startAutomation } from './tools/automation-tools.ts'
import { listBoards, readBoard, refreshBoard } from './tools/board-tools.ts'
import { ask, readChat } from './tools/chat-tools.ts'
import { describeTable, listDatabases, listTables } from './tools/database-tools.ts'
import { explainChange } from './tools/explain-change-mcp-tool.ts'
import { getLineage } from './tools/get-lineage-tool.ts'
import { getReference } from './tools/get-reference-tool.ts'
import { listReferences } from './tools/list-references-tool.ts'
import { getQuery, listQueries } from './tools/query-tools.ts'
import { readResult } from './tools/read-result-tool.ts'
import { getRun, runReference, stopRun } from './tools/run-tools.ts'

/** In the order in which a model is likely to need them. */
export const tools: readonly Tool[] = [
  listReferences,
  getReference,
  readResult,
  explainChange,
  getLineage,
  runReference,
  getRun,
  stopRun,
  listQueries,
  getQuery,
  listBoards,
  readBoard,
  refreshBoard,
  ask,
  readChat,
  listAutomations,
  startAutomation,
  getAutomationRun,
  listDatabases,
  listTables,
  describeTable,
]
