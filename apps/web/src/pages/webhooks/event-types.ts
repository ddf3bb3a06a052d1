import type { EventType } from '../../api/webhook-endpoints.ts'

/** What each type of event tells, in words. */
export const aboutEventTypes: Record<EventType, { label: string; when: string; carries: string }> = {
  'automation.run.completed': {
    label: 'Run completed',
    when: 'An automation’s run finished.',
    carries: 'Carries the summary, a link to the chat, and the ids of the automation and the run.',
  },
  'automation.run.failed': {
    label: 'Run failed',
    when: 'A run failed, or somebody stopped it.',
    carries: 'Carries the reason, a link to the chat, and the ids of the automation and the run.',
  },
}
