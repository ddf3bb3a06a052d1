import type { ModelProvider } from '../../api/model-settings.ts'

export const providerLabels: Record<ModelProvider, string> = { openai_compatible: 'OpenAI-compatible', anthropic: 'Anthropic' }
