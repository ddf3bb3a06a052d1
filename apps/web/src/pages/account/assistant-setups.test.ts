import { expect, test } from 'vitest'
import { assistantSetups } from './assistant-setups.ts'

const url = 'https://querypost.test/mcp'
const key = 'qp_live_abc'
const setups = assistantSetups({ url, key })
const setupOf = (wanted: string) => setups.find(({ name }) => name === wanted)!.text

test('every setup contains the URL, and configuration files are valid JSON', () => {
  for (const { name, text } of setups) expect(text, name).toContain(url)
  for (const name of ['cursor', 'vs-code', 'claude-desktop']) {
    expect(() => JSON.parse(setupOf(name)) as unknown, name).not.toThrow()
  }
})

test('puts the key where the client reads it, and never into a file that is usually shared', () => {
  expect(setupOf('claude-code')).toMatch(/--header "Authorization: Bearer qp_live_abc"$/)
  expect(JSON.parse(setupOf('cursor'))).toMatchObject({
    mcpServers: { querypost: { headers: { Authorization: 'Bearer qp_live_abc' } } },
  })
  expect(JSON.parse(setupOf('claude-desktop'))).toMatchObject({
    mcpServers: { querypost: { args: expect.arrayContaining(['Authorization:${AUTHORIZATION}']) } },
  })
  expect(setupOf('vs-code')).not.toContain(key)
  expect(setupOf('codex')).not.toContain(key)
})
