import { paths } from '../../paths.ts'

/** What has been done so far. */
export interface Progress {
  hasModel: boolean
  hasAsked: boolean
  hasOwnQuery: boolean
  hasRunAutomation: boolean
  hasEndpoint: boolean
  hasDelivered: boolean
  /** Somebody joined, or has an open invitation. */
  hasInvited: boolean
}

export interface Step {
  title: string
  text: string
  href: string
  linkLabel: string
  isDone: boolean
}

/** The first steps, in an order in which each builds on the one before. */
export function stepsOf(progress: Progress): Step[] {
  return [
    {
      title: 'Ask a question',
      text: progress.hasModel ? 'Ask in plain words, and see how the answer was found.' : 'Connect an AI model to ask in plain words.',
      href: progress.hasModel ? paths.ask() : paths.agentSettings,
      linkLabel: progress.hasModel ? 'Ask' : 'Connect a model',
      isDone: progress.hasAsked,
    },
    {
      title: 'Write your first query',
      text: 'Run SQL, save it with a chart, and share the link.',
      href: paths.newQuery(),
      linkLabel: 'Write a query',
      isDone: progress.hasOwnQuery,
    },
    {
      title: 'Schedule a report',
      text: 'Choose queries and a schedule. We’ll summarize what changed.',
      href: paths.automations,
      linkLabel: 'Open automations',
      isDone: progress.hasRunAutomation,
    },
    {
      title: 'Send results to your app',
      text: progress.hasEndpoint && !progress.hasDelivered
        ? 'Your endpoint hasn’t received anything yet. Send it a test event.'
        : 'Get a signed webhook whenever a run finishes.',
      href: progress.hasEndpoint ? paths.webhooks : paths.newWebhookEndpoint,
      linkLabel: progress.hasEndpoint ? 'Open webhooks' : 'Add endpoint',
      isDone: progress.hasDelivered,
    },
    {
      title: 'Invite your team',
      text: 'Add teammates by e-mail, or send them an invitation link.',
      href: paths.memberSettings,
      linkLabel: 'Invite people',
      isDone: progress.hasInvited,
    },
  ]
}
