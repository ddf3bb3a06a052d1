import { expect, test } from 'vitest'
import { manualClock } from '../../../../testing/manual-clock.ts'
import { growingText } from './growing-text.ts'
import { listedChat } from '../../../../testing/agents/model-agent-world.ts'

test('writes at most twice a second, and writes the full text at the end', async () => {
  const [chat, clock] = [listedChat(), manualClock()]
  const text = growingText({ chat, clock })
  await text.grow('  \n')
  expect(chat.writes()).toBe(0)
  let said = ''
  for (let piece = 0; piece < 100; piece++) {
    said += 'word '
    await text.grow(said)
    clock.leap(50)
  }
  expect(chat.writes()).toBe(10)
  expect(await text.end(said.trim())).toBe(1)
  expect(await text.end(said.trim())).toBe(1)
  expect(chat.writes()).toBe(11)
  expect(chat.messages).toEqual([{ kind: 'text', text: said.trim() }])
})

test('a step without text leaves no message', async () => {
  const chat = listedChat()
  expect(await growingText({ chat, clock: manualClock() }).end('')).toBeUndefined()
  expect(chat.messages).toEqual([])
})

test('removes text that was cut off, and reuses its message', async () => {
  const chat = listedChat()
  const text = growingText({ chat, clock: manualClock() })
  await text.grow('Half of a sen')
  await text.drop()
  expect(chat.messages).toEqual([{ kind: 'note', text: 'The model’s answer was cut off here.' }])
  await text.grow('Half of a sen')
  expect(chat.messages).toEqual([{ kind: 'text', text: 'Half of a sen' }])
  await text.drop()
  expect(await text.end('')).toBeUndefined()
  expect(chat.messages).toMatchObject([{ kind: 'note' }])
})
