import { expect, test } from 'vitest'
import { assistantSetups } from './assistant-setups.ts'

const url = 'https://querypost.test/mcp'
const key = 'qp_live_abc'
const setups = assistantSetups({ url, key })
const of = (wanted: string) => setups.find(({ name }) => name === wanted)!.text

test('each names the address, and files are JSON', () => {
  for (const { name, text } of setups) expect(text, name).toContain(url)
  for (const name of ['cursor', 'vs-code', 'claude-desktop']) {
    expect(() => JSON.parse(of(name)) as unknown, name).not.toThrow()
  }
})

test('the key goes where the client sends it from, and into no file that is shared', () => {
  expect(of('claude-code')).toMatch(/--header "Authorization: Bearer qp_live_abc"$/)
  expect(JSON.parse(of('cursor'))).toMatchObject({
    mcpServers: { querypost: { headers: { Authorization: 'Bearer qp_live_abc' } } },
  })
  expect(JSON.parse(of('claude-desktop'))).toMatchObject({
    mcpServers: { querypost: { args: expect.arrayContaining(['Authorization:${AUTHORIZATION}']) } },
  })
  expect(of('vs-code')).not.toContain(key)
  expect(of('codex')).not.toContain(key)
})
