import type { Provider } from '../../api/model-settings.ts'

export const providerWords: Record<Provider, string> = { openai_compatible: 'OpenAI-compatible', anthropic: 'Anthropic' }
