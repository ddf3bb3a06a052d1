import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'
import type { GuardedFetch } from '../../../ports/network/guarded-fetch.ts'
import { boundAnswers } from './bounded-fetch.ts'
import { bounds } from './model-limits.ts'
import type { ModelAccess } from '../../../model/model-settings.ts'

/** The library would print its own warnings to the console, bypassing the log. */
globalThis.AI_SDK_LOG_WARNINGS = false

export function openLanguageModel(access: ModelAccess, agentFetch: GuardedFetch): LanguageModel {
  const fetch = boundAnswers(agentFetch, bounds.responseBytes)
  const { baseUrl: baseURL } = access
  if (access.provider === 'anthropic') {
    // Pass an empty key rather than none: otherwise the library would use the operator's key from the environment.
    return createAnthropic({ baseURL, fetch, apiKey: access.apiKey ?? '' })(access.model)
  }
  return createOpenAICompatible({
    name: 'model',
    baseURL,
    fetch,
    includeUsage: true,
    ...(access.apiKey !== null && { apiKey: access.apiKey }),
    ...(isOpenai(baseURL) && { transformRequestBody: renameTokenLimit }),
  })(access.model)
}

/** OpenAI's newer models reject `max_tokens`; other servers accept nothing else. */
function renameTokenLimit({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: max_tokens }
}

const isOpenai = (baseUrl: string) => /(^|\.)openai\.(com|azure\.com)$/.test(new URL(baseUrl).hostname)
