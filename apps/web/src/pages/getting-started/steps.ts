import { paths } from '../../paths.ts'

/** What the service knows of how far somebody has come. */
export interface Progress {
  hasRunAutomation: boolean
  hasEndpoint: boolean
  hasDelivered: boolean
  hasColleagues: boolean
}

export interface Step {
  title: string
  text: string
  href: string
  linkLabel: string
  isDone: boolean
}

/** The way from nothing to a delivered webhook, in the order in which each step needs the one before. */
export function stepsOf(progress: Progress): Step[] {
  return [
    {
      title: 'Ask your data something',
      text: 'Write SQL, run it, and save it with a chart. Everybody here can open its link.',
      href: paths.newQuery(),
      linkLabel: 'Write a query',
      isDone: false,
    },
    {
      title: 'Have it looked at for you',
      text: 'An automation runs queries on a schedule and writes what changed into a chat.',
      href: paths.automations,
      linkLabel: 'Open automations',
      isDone: progress.hasRunAutomation,
    },
    {
      title: 'Tell another system',
      text: progress.hasEndpoint && !progress.hasDelivered
        ? 'Your endpoint has received nothing yet. Send it a test event.'
        : 'Each finished run can be sent to an address of yours, signed, at least once.',
      href: progress.hasEndpoint ? paths.webhooks : paths.newWebhookEndpoint,
      linkLabel: progress.hasEndpoint ? 'Open webhooks' : 'Add an endpoint',
      isDone: progress.hasDelivered,
    },
    {
      title: 'Bring your colleagues',
      text: 'Invite them by e-mail address; you get a link to pass on.',
      href: paths.memberSettings,
      linkLabel: 'Invite people',
      isDone: progress.hasColleagues,
    },
  ]
}
