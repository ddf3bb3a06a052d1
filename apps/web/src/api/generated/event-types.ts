// Made from the table of event types by `npm run types`; a test keeps it so. Not for editing.

/** What each type of event tells, in words. */
export const aboutEventTypes = {
  'automation.run.completed': {
    group: 'Automations',
    label: 'Run completed',
    when: 'An automation’s run finished.',
    carries: 'Carries the summary, a link to the chat, and the ids of the automation and the run.',
    isDefault: true,
  },
  'automation.run.failed': {
    group: 'Automations',
    label: 'Run failed',
    when: 'A run failed or was stopped.',
    carries: 'Carries the reason, a link to the chat, and the ids of the automation and the run.',
    isDefault: true,
  },
  'query.run.completed': {
    group: 'Queries',
    label: 'Query completed',
    when: 'A query’s run finished.',
    carries: 'Carries the row count and hash of the result, and a link to the query.',
    isDefault: false,
  },
  'query.run.failed': {
    group: 'Queries',
    label: 'Query failed',
    when: 'A query’s run failed or was stopped.',
    carries: 'Carries the reason and a link to the query.',
    isDefault: false,
  },
  'board.report.sent': {
    group: 'Boards',
    label: 'Board report sent',
    when: 'A board was sent to a recipient or a channel.',
    carries: 'Carries the recipient and a link to the board.',
    isDefault: false,
  },
  'automation.alert.fired': {
    group: 'Alerts',
    label: 'Alert fired',
    when: 'An alert fired.',
    carries: 'Carries the finding, the severity, the first new rows, and the ids of the automation and the query run.',
    isDefault: false,
  },
  'automation.alert.resolved': {
    group: 'Alerts',
    label: 'Alert resolved',
    when: 'An alert that fired no longer does.',
    carries: 'Carries the finding, the severity, and the ids of the automation and the query run.',
    isDefault: false,
  },
  'reference.changed': {
    group: 'Queries',
    label: 'Query result changed',
    when: 'A query that publishes changes has a different result.',
    carries: 'Carries the number of added, removed and changed rows, the first of them, and links to all.',
    isDefault: false,
  },
} as const
