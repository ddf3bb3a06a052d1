// Made from the table of event types by `npm run types`; a test keeps it so. Not for editing.

/** What each type of event tells, in words. */
export const aboutEventTypes = {
  'automation.run.completed': {
    label: 'Run completed',
    when: 'An automation’s run finished.',
    carries: 'Carries the summary, a link to the chat, and the ids of the automation and the run.',
  },
  'automation.run.failed': {
    label: 'Run failed',
    when: 'A run failed or was stopped.',
    carries: 'Carries the reason, a link to the chat, and the ids of the automation and the run.',
  },
  'automation.alert.fired': {
    label: 'Alert fired',
    when: 'An alert fired.',
    carries: 'Carries the finding, the severity, and the ids of the automation and the query run.',
  },
  'automation.alert.resolved': {
    label: 'Alert resolved',
    when: 'An alert that fired no longer does.',
    carries: 'Carries the finding, the severity, and the ids of the automation and the query run.',
  },
} as const
