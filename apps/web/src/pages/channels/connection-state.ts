import type { SlackConnection } from '../../api/channels.ts'
import type { BadgeColor } from '../../ui/badge.tsx'

export interface ConnectionState {
  label: string
  color: BadgeColor
  /** What to know or to do. */
  advice: string
}

/** Whether people can ask from Slack, and if not, the first thing to fix. */
export function connectionState(connection: SlackConnection): ConnectionState {
  const { hasSigningSecret, refusal, missingScopes, lastEventAt, lastRejectedAt, lastForeignAt, problem } = connection
  if (refusal !== null) return { label: 'Not connected', color: 'danger', advice: refusal }
  if (!hasSigningSecret) {
    return { label: 'Not set up', color: 'plain', advice: 'Edit the channel and enter the signing secret of your Slack app.' }
  }
  if (missingScopes !== null && missingScopes.length > 0) {
    return { label: 'Missing permissions', color: 'warning', advice: 'Add these scopes to the bot in Slack, and reinstall the app.' }
  }
  if (isNewer(lastRejectedAt, lastEventAt)) {
    return { label: 'Wrong signature', color: 'danger', advice: 'Requests arrive, but their signature is not valid. Check the signing secret.' }
  }
  if (isNewer(lastForeignAt, lastEventAt)) {
    return { label: 'Another workspace', color: 'warning', advice: 'Events arrive from a workspace that is not the bot’s. They are ignored.' }
  }
  if (lastEventAt === null) {
    return { label: 'Waiting for Slack', color: 'plain', advice: 'Paste the manifest in Slack. This changes when the first request arrives.' }
  }
  if (problem !== null) return { label: 'Problem', color: 'warning', advice: problem.reason }
  return { label: 'Ready', color: 'good', advice: 'Members can mention the bot, or send it a direct message.' }
}

const isNewer = (at: string | null, than: string | null): boolean => at !== null && (than === null || at > than)
