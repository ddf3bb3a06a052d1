import type { Tool } from './tool.ts'
import { createAutomation, deleteAutomation, updateAutomation } from './tools/automation-writing-tools.ts'
import { getAutomationRun, listAutomations, startAutomation } from './tools/automation-tools.ts'
import { createBoard, deleteBoard, updateBoard } from './tools/board-writing-tools.ts'
import { listBoards, readBoard, refreshBoard } from './tools/board-tools.ts'
import { ask, readChat } from './tools/chat-tools.ts'
import { describeTable, listDatabases, listTables } from './tools/database-tools.ts'
import { createEndpoint, deleteEndpoint, listEndpoints, updateEndpoint } from './tools/endpoint-tools.ts'
import { explainChange } from './tools/explain-change-mcp-tool.ts'
import { createFolder, deleteFolder, listFolders, updateFolder } from './tools/folder-tools.ts'
import { getLineage } from './tools/get-lineage-tool.ts'
import { getReference } from './tools/get-reference-tool.ts'
import { listReferences } from './tools/list-references-tool.ts'
import { createMetric, deleteMetric, listMetrics, updateMetric } from './tools/metric-tools.ts'
import { getQuery, listQueries } from './tools/query-tools.ts'
import { readResult } from './tools/read-result-tool.ts'
import { createQuery, createReference, deleteReference, updateReference } from './tools/reference-writing-tools.ts'
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
  listFolders,
  listMetrics,
  createReference,
  updateReference,
  deleteReference,
  createQuery,
  createBoard,
  updateBoard,
  deleteBoard,
  createFolder,
  updateFolder,
  deleteFolder,
  createAutomation,
  updateAutomation,
  deleteAutomation,
  createMetric,
  updateMetric,
  deleteMetric,
  listEndpoints,
  createEndpoint,
  updateEndpoint,
  deleteEndpoint,
]
