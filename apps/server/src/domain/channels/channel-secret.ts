/** The context under which the secret of a channel is sealed. */
export const channelSecretContext = (channelId: string): string => `secret of channel ${channelId}`
