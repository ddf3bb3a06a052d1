import type { ChannelDefinition } from '../channel-registry.ts'
import { checkReceiverUrl } from '../check-url.ts'
import type { ExchangeDeps } from '../exchange.ts'
import { renderTeamsMessage } from './render-card.ts'
import { makeTeamsSender } from './teams-sender.ts'

export function makeTeamsChannel(deps: ExchangeDeps): ChannelDefinition {
  return {
    kind: 'teams',
    ...makeTeamsSender(deps),
    compose: ({ document, images }) => ({ kind: 'teams', card: renderTeamsMessage(document, images).attachments[0].content }),
    async check({ secret: given }) {
      const { secret, host } = checkReceiverUrl(given, 'https://….logic.azure.com/workflows/…')
      return { settings: { host }, secret }
    },
  }
}
