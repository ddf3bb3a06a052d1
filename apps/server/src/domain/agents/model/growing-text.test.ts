import { expect, test } from 'vitest'
import { manualClock } from '../../../../testing/manual-clock.ts'
import { growingText } from './growing-text.ts'
import { listedChat } from '../../../../testing/agents/model-agent-world.ts'
import type { Publisher } from './publisher.ts'

/** Publishes any text unchanged, and withholds a last word that may be unfinished. */
const publisher: Publisher = {
  async publish(draft, { isPartial = false } = {}) {
    const text = isPartial ? draft.replace(/\S+$/, '').trim() : draft
    return { text, figures: [], sources: [], repairRequest: null }
  },
}
const published = (text: string) => publisher.publish(text)

test('writes at most twice a second, and writes the full text at the end', async () => {
  const [chat, clock] = [listedChat(), manualClock()]
  const text = growingText({ chat, clock, publisher })
  await text.grow('  \n')
  expect(chat.writes()).toBe(0)
  let draft = ''
  for (let piece = 0; piece < 100; piece++) {
    draft += 'word '
    await text.grow(`${draft}wo`)
    clock.leap(50)
  }
  expect(chat.writes()).toBe(10)
  expect(await text.end(await published(draft.trim()))).toBe(1)
  expect(chat.writes()).toBe(11)
  expect(chat.messages).toEqual([{ kind: 'text', text: draft.trim(), figures: [], sources: [] }])
})

test('writes as soon as there is something to show', async () => {
  const chat = listedChat()
  const text = growingText({ chat, clock: manualClock(), publisher })
  await text.grow('Reve')
  expect(chat.messages).toEqual([])
  await text.grow('Revenue ro')
  expect(chat.messages).toEqual([{ kind: 'text', text: 'Revenue', figures: [] }])
})

test('a space at the end shows that the word before it is finished', async () => {
  const chat = listedChat()
  await growingText({ chat, clock: manualClock(), publisher }).grow('Revenue ')
  expect(chat.messages).toEqual([{ kind: 'text', text: 'Revenue', figures: [] }])
})

test('a step without text leaves no message', async () => {
  const chat = listedChat()
  await growingText({ chat, clock: manualClock(), publisher }).endWithoutText()
  expect(chat.messages).toEqual([])
})

test('removes text that was cut off, and reuses its message', async () => {
  const chat = listedChat()
  const text = growingText({ chat, clock: manualClock(), publisher })
  await text.grow('Half of a sen')
  await text.drop()
  expect(chat.messages).toEqual([{ kind: 'note', text: 'The model’s answer was cut off here.' }])
  await text.grow('Half of a sen')
  expect(chat.messages).toMatchObject([{ kind: 'text', text: 'Half of a' }])
  await text.drop()
  await text.endWithoutText()
  expect(chat.messages).toMatchObject([{ kind: 'note' }])
})

test('replaces a draft, or withdraws it if there is no other text', async () => {
  const chat = listedChat()
  const replaces = await chat.add({ kind: 'text', text: 'A draft.' })
  const text = growingText({ chat, clock: manualClock(), publisher, replaces })
  expect(await text.end(await published('A better one.'))).toBe(replaces)
  expect(chat.messages).toMatchObject([{ kind: 'text', text: 'A better one.' }])
  await growingText({ chat, clock: manualClock(), publisher, replaces }).endWithoutText()
  expect(chat.messages).toMatchObject([{ kind: 'note', text: expect.stringMatching(/^A draft of the answer was withdrawn/) as string }])
})
