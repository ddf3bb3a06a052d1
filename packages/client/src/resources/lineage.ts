import type { ItemLineage, ReferenceLineage, TableUsers } from '../generated/schemas.ts'
import { callOperation } from '../operation.ts'
import type { CallOptions, Transport } from '../transport.ts'

/** A table, or one of its columns. */
export interface TableOptions extends CallOptions {
  schema: string
  table: string
  column?: string | undefined
}

/** What saved queries, boards and automations read, and what uses them. */
export interface LineageReader {
  ofReference(shortId: string, options?: CallOptions): Promise<ReferenceLineage>
  ofBoard(shortId: string, options?: CallOptions): Promise<ItemLineage>
  ofAutomation(automationId: string, options?: CallOptions): Promise<ItemLineage>
  /** What uses a table, or would break if a column went away. */
  ofTable(databaseId: string, options: TableOptions): Promise<TableUsers>
}

export function makeLineageReader(transport: Transport): LineageReader {
  return {
    ofReference: (shortId, options) => callOperation(transport, 'lineage.ofReference', { params: { shortId } }, options),
    ofBoard: (shortId, options) => callOperation(transport, 'lineage.ofBoard', { params: { shortId } }, options),
    ofAutomation: (id, options) => callOperation(transport, 'lineage.ofAutomation', { params: { id } }, options),
    ofTable: (id, { schema, table, column, ...options }) =>
      callOperation(transport, 'lineage.ofTable', { params: { id }, query: { schema, table, ...(column !== undefined && { column }) } }, options),
  }
}
