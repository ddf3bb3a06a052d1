import { describe, expect, test } from 'vitest'
import { answerTextMaxBytes, readToolAnswer } from './tool-answer.ts'

const text = (...texts: string[]) => texts.map((each) => ({ type: 'text', text: each }))

test.each<[string, Record<string, unknown>, string]>([
  ['text', { content: text('hello', 'there') }, 'hello\n\nthere'],
  ['structured content', { content: [], structuredContent: { a: [1] } }, '{"a":[1]}'],
  ['structured content beside text', { content: text('found'), structuredContent: { a: 1 } }, 'found\n\n{"a":1}'],
  ['structured content that is text too', { content: text('{ "a": 1 }'), structuredContent: { a: 1 } }, '{ "a": 1 }'],
  ['an image', { content: [{ type: 'image', mimeType: 'image/png', data: 'AAAAAAAA' }] }, '[image left out: image/png, 6 bytes]'],
  ['a sound', { content: [{ type: 'audio', data: 7 }] }, '[audio left out: unnamed, 0 bytes]'],
  ['a link', { content: [{ type: 'resource_link', name: 'Report', uri: 'file:///r' }] }, '[link left out: Report, file:///r]'],
  ['a resource', { content: [{ type: 'resource', resource: { uri: 'a:b', text: 'hidden' } }] }, '[resource left out: a:b]'],
  ['a resource of nothing', { content: [{ type: 'resource', resource: null }] }, '[resource left out: unnamed]'],
  ['something newer', { content: [{ type: 'hologram' }] }, '[content of an unknown kind left out: hologram]'],
  ['nothing', { content: [] }, 'The tool answered with nothing.'],
  ['what cannot be stored', { content: text('a\0b\ud800c') }, 'a\ufffdb\ufffdc'],
])('%s', (_name, result, expected) => {
  expect(readToolAnswer(result)).toBe(expected)
})

describe('an error is thrown', () => {
  test.each([
    ['with its text', { isError: true, content: text('No such customer.') }, 'No such customer.'],
    ['without one', { isError: true, content: [] }, 'The tool failed and did not say why.'],
    ['of another shape', { content: 'text' }, 'Its answer is not one of the Model Context Protocol.'],
    ['of parts that are none', { content: ['text'] }, 'Its answer is not one of the Model Context Protocol.'],
  ])('%s', (_name, result, message) => {
    expect(() => readToolAnswer(result)).toThrow(message)
  })

  test('for content that is nested too deep to be written', () => {
    const deep: unknown = JSON.parse('['.repeat(1_000_000) + ']'.repeat(1_000_000))
    expect(() => readToolAnswer({ content: [], structuredContent: deep })).toThrow('not one of the Model Context Protocol')
  })
})

test('a long answer is cut between two characters, and says so', () => {
  const whole = 'a'.repeat(answerTextMaxBytes)
  expect(readToolAnswer({ content: text(whole) })).toBe(whole)
  const note = `\n[Cut here: the answer has ${answerTextMaxBytes + 2} bytes, and only the first ${answerTextMaxBytes} are shown.]`
  expect(readToolAnswer({ content: text(`${whole}bc`) })).toBe(whole + note)
  expect(readToolAnswer({ content: text(`${whole.slice(1)}€`) })).toBe(whole.slice(1) + note)
})
