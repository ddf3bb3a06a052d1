// Made from the table of event types by `npm run types`; a test keeps it so. Not for editing.

/** Of each listed type, what its data has. `reserved`: null today, a text some day. */
export const listedFields: Record<string, Record<string, 'text' | 'nullableText' | 'integer' | 'boolean' | 'textList' | 'objectList' | 'reserved'>> = {
  'automation.run.completed': { automationId: 'text', automationName: 'text', runId: 'text', chatUrl: 'text', summary: 'text', imageUrl: 'reserved' },
  'automation.run.failed': { automationId: 'text', automationName: 'text', runId: 'text', chatUrl: 'text', reason: 'text' },
  'query.run.completed': { runId: 'text', queryId: 'text', referenceShortId: 'nullableText', title: 'nullableText', permalink: 'nullableText', rowCount: 'integer', resultHash: 'text' },
  'query.run.failed': { runId: 'text', queryId: 'text', referenceShortId: 'nullableText', title: 'nullableText', permalink: 'nullableText', reason: 'text', isStopped: 'boolean' },
  'board.report.sent': { automationId: 'text', automationName: 'text', runId: 'text', reportId: 'text', reportDeliveryId: 'text', boardShortId: 'text', boardTitle: 'nullableText', boardUrl: 'text', channel: 'text', recipient: 'text' },
  'automation.alert.fired': { automationId: 'text', automationName: 'text', automationUrl: 'text', severity: 'text', finding: 'text', referenceShortId: 'text', queryRunId: 'text', newRowCount: 'integer', newRows: 'objectList' },
  'automation.alert.resolved': { automationId: 'text', automationName: 'text', automationUrl: 'text', severity: 'text', finding: 'text', referenceShortId: 'text', queryRunId: 'text' },
  'reference.changed': { referenceShortId: 'text', title: 'text', permalink: 'text', number: 'integer', at: 'text', fromRunId: 'text', toRunId: 'text', fromResultHash: 'text', toResultHash: 'text', keyColumns: 'textList', isKeyUnique: 'boolean', isReplacement: 'boolean', added: 'integer', removed: 'integer', changed: 'integer', rowsUrl: 'text', patchUrl: 'text', sampleRows: 'objectList' },
}
