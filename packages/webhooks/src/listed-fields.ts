// Made from the table of event types by `npm run types`; a test keeps it so. Not for editing.

/** Of each listed type, what its data has. `reserved`: null today, a text some day. */
export const listedFields: Record<string, Record<string, 'text' | 'reserved'>> = {
  'automation.run.completed': { automationId: 'text', automationName: 'text', runId: 'text', chatUrl: 'text', summary: 'text', imageUrl: 'reserved' },
  'automation.run.failed': { automationId: 'text', automationName: 'text', runId: 'text', chatUrl: 'text', reason: 'text' },
  'automation.alert.fired': { automationId: 'text', automationName: 'text', automationUrl: 'text', severity: 'text', finding: 'text', referenceShortId: 'text', queryRunId: 'text' },
  'automation.alert.resolved': { automationId: 'text', automationName: 'text', automationUrl: 'text', severity: 'text', finding: 'text', referenceShortId: 'text', queryRunId: 'text' },
}
