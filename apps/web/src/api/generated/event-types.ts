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
  'reference.changed': {
    label: 'Query result changed',
    when: 'A query that publishes changes has a different result.',
    carries: 'Carries the number of added, removed and changed rows, the first of them, and links to all.',
  },
} as const
