export { type FrameMessage, type HostMessage, isFrom, isToken, type EmbedParameters, readFrameMessage, readHostMessage } from './messages.ts'
export { type EmbedTheme, readTheme, readThemeFragment, themeFragment } from './theme.ts'
