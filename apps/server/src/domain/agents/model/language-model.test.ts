import { expect, test } from 'vitest'
import { askModel } from './ask-model.ts'
import { openLanguageModel } from './language-model.ts'

/** The body that is sent to a model at this address. */
async function bodyFor(baseUrl: string): Promise<Record<string, unknown>> {
  let body = ''
  const access = { provider: 'openai_compatible', baseUrl, model: 'm-1', apiKey: null } as const
  const model = openLanguageModel(access, async (_, init) => {
    body = init!.body as string
    return Response.json({ error: { message: 'No.' } }, { status: 400 })
  })
  const asked = askModel({
    model,
    instructions: 'Be brief.',
    messages: [{ role: 'user', content: 'Hello?' }],
    tools: [],
    signal: new AbortController().signal,
  })
  await expect(asked).rejects.toMatchObject({ statusCode: 400, message: 'No.' })
  return JSON.parse(body)
}

test.each(['https://api.openai.com/v1', 'https://mine.openai.azure.com/openai/v1'])(
  '%s gets the token limit as max_completion_tokens',
  async (baseUrl) => {
    const body = await bodyFor(baseUrl)
    expect(body).toMatchObject({ max_completion_tokens: 8192 })
    expect(body).not.toHaveProperty('max_tokens')
  },
)

test.each(['https://models.example/v1', 'https://notopenai.com/v1', 'https://api.openai.com.example/v1'])(
  '%s gets the token limit as max_tokens',
  async (baseUrl) => {
    const body = await bodyFor(baseUrl)
    expect(body).toMatchObject({ max_tokens: 8192 })
    expect(body).not.toHaveProperty('max_completion_tokens')
  },
)
