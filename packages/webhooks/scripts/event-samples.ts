// Made from the table of event types by `npm run types`; a test keeps it so. Not for editing.

export const eventSamples: Record<string, Record<string, unknown>> = {
  'automation.run.completed': {
    automationId: 'automation_sample',
    automationName: 'Sample automation',
    runId: 'arun_sample',
    chatUrl: 'https://querypost.example.com/chats/sample',
    summary: 'This is a test event. Revenue of the sample shop was 1,234.00 yesterday, 5 % more than the day before.',
    imageUrl: null,
  },
  'automation.run.failed': {
    automationId: 'automation_sample',
    automationName: 'Sample automation',
    runId: 'arun_sample',
    chatUrl: 'https://querypost.example.com/chats/sample',
    reason: 'This is a test event. No automation has failed.',
  },
  'query.run.completed': {
    runId: 'run_sample',
    queryId: '00000000-0000-7000-8000-000000000000',
    referenceShortId: 'sample0000',
    title: 'Sample query',
    permalink: 'https://querypost.example.com/q/sample0000',
    rowCount: 42,
    resultHash: 'sample',
  },
  'query.run.failed': {
    runId: 'run_sample',
    queryId: '00000000-0000-7000-8000-000000000000',
    referenceShortId: 'sample0000',
    title: 'Sample query',
    permalink: 'https://querypost.example.com/q/sample0000',
    reason: 'This is a test event. No query has failed.',
    isStopped: false,
  },
  'board.report.sent': {
    automationId: 'automation_sample',
    automationName: 'Sample automation',
    runId: 'arun_sample',
    reportId: 'report_sample',
    reportDeliveryId: 'report_delivery_sample',
    boardShortId: 'sample0000',
    boardTitle: 'Sample board',
    boardUrl: 'https://querypost.example.com/b/sample0000',
    channel: 'email',
    recipient: 'sample@example.com',
  },
}
