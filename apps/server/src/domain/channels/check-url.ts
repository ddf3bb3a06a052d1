import { channelLimits } from '../../model/channel.ts'
import { badInput } from '../people/check-text.ts'

/**
 * The URL of a receiver, which is a secret: anyone who knows it can post there. Only its form is checked here. Where it leads is checked
 * whenever something is sent.
 */
export function checkReceiverUrl(given: string | undefined, example: string): { secret: string; host: string } {
  const url = given !== undefined && given.length <= channelLimits.secretCharacters ? URL.parse(given.trim()) : null
  if (!url || !['https:', 'http:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw badInput('/secret', `must be a URL such as ${example}`)
  }
  return { secret: url.href, host: url.host }
}
