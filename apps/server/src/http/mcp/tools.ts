import type { Tool } from './tool.ts'
import { getAutomationRun, listAutomations, startAutomation } from './tools/automations.ts'
import { describeTable, listDatabases, listTables } from './tools/databases.ts'
import { getReference } from './tools/get-reference.ts'
import { listReferences } from './tools/list-references.ts'
import { getQuery, listQueries } from './tools/queries.ts'
import { readResult } from './tools/read-result.ts'
import { getRun, runReference, stopRun } from './tools/runs.ts'

/** In the order in which a model will want them. */
export const tools: readonly Tool[] = [
  listReferences,
  getReference,
  readResult,
  runReference,
  getRun,
  stopRun,
  listQueries,
  getQuery,
  listAutomations,
  startAutomation,
  getAutomationRun,
  listDatabases,
  listTables,
  describeTable,
]
