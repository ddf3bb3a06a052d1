export type { EmbedError } from '../session.ts'
export type { EmbedParameters } from '../protocol/messages.ts'
export type { EmbedTheme } from '../protocol/theme.ts'
export { QuerypostEmbed, type QuerypostEmbedEvents } from './querypost-embed.ts'
