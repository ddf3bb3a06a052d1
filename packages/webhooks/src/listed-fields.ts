// Made from the table of event types by `npm run types`; a test keeps it so. Not for editing.

export type ListedField = 'text' | 'reserved' | 'integer' | 'boolean' | 'texts' | 'objects'

/** Of each listed type, what its data has. `reserved`: null today, a text some day. */
export const listedFields: Record<string, Record<string, ListedField>> = {
  'automation.run.completed': { automationId: 'text', automationName: 'text', runId: 'text', chatUrl: 'text', summary: 'text', imageUrl: 'reserved' },
  'automation.run.failed': { automationId: 'text', automationName: 'text', runId: 'text', chatUrl: 'text', reason: 'text' },
  'reference.changed': { referenceShortId: 'text', title: 'text', permalink: 'text', number: 'integer', at: 'text', fromRunId: 'text', toRunId: 'text', fromResultHash: 'text', toResultHash: 'text', keyColumns: 'texts', isKeyUnique: 'boolean', isReplacement: 'boolean', added: 'integer', removed: 'integer', changed: 'integer', rowsUrl: 'text', patchUrl: 'text', sampleRows: 'objects' },
}
