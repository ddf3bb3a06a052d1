import { describe, expect, test } from 'vitest'
import { answerTextMaxBytes, readToolAnswer } from './tool-answer.ts'

const text = (...texts: string[]) => texts.map((each) => ({ type: 'text', text: each }))

test.each<[string, Record<string, unknown>, string]>([
  ['text', { content: text('hello', 'there') }, 'hello\n\nthere'],
  ['structured content', { content: [], structuredContent: { a: [1] } }, '{"a":[1]}'],
  ['structured content and text', { content: text('found'), structuredContent: { a: 1 } }, 'found\n\n{"a":1}'],
  ['structured content that is text too', { content: text('{ "a": 1 }'), structuredContent: { a: 1 } }, '{ "a": 1 }'],
  ['an image', { content: [{ type: 'image', mimeType: 'image/png', data: 'AAAAAAAA' }] }, '[image omitted: image/png, 6 bytes]'],
  ['audio', { content: [{ type: 'audio', data: 7 }] }, '[audio omitted: unnamed, 0 bytes]'],
  ['a link', { content: [{ type: 'resource_link', name: 'Report', uri: 'file:///r' }] }, '[link omitted: Report, file:///r]'],
  ['a resource', { content: [{ type: 'resource', resource: { uri: 'a:b', text: 'hidden' } }] }, '[resource omitted: a:b]'],
  ['a null resource', { content: [{ type: 'resource', resource: null }] }, '[resource omitted: unnamed]'],
  ['an unknown content type', { content: [{ type: 'hologram' }] }, '[unknown content type omitted: hologram]'],
  ['nothing', { content: [] }, 'The tool returned nothing.'],
  ['characters that cannot be stored', { content: text('a\0b\ud800c') }, 'a\ufffdb\ufffdc'],
])('%s', (_name, result, expected) => {
  expect(readToolAnswer(result)).toBe(expected)
})

describe('throws an error', () => {
  test.each([
    ['with the error text of the tool', { isError: true, content: text('No such customer.') }, 'No such customer.'],
    ['when the tool gives no error text', { isError: true, content: [] }, 'The tool failed without giving a reason.'],
    ['for content that is not a list', { content: 'text' }, 'The response is not valid MCP.'],
    ['for parts that are not objects', { content: ['text'] }, 'The response is not valid MCP.'],
  ])('%s', (_name, result, message) => {
    expect(() => readToolAnswer(result)).toThrow(message)
  })

  test('for content nested too deeply to serialize', () => {
    const deep: unknown = JSON.parse('['.repeat(1_000_000) + ']'.repeat(1_000_000))
    expect(() => readToolAnswer({ content: [], structuredContent: deep })).toThrow('not valid MCP')
  })
})

test('truncates a long answer at a character boundary, and says so', () => {
  const whole = 'a'.repeat(answerTextMaxBytes)
  expect(readToolAnswer({ content: text(whole) })).toBe(whole)
  const note = `\n[Truncated: the answer has ${answerTextMaxBytes + 2} bytes; only the first ${answerTextMaxBytes} are shown.]`
  expect(readToolAnswer({ content: text(`${whole}bc`) })).toBe(whole + note)
  expect(readToolAnswer({ content: text(`${whole.slice(1)}€`) })).toBe(whole.slice(1) + note)
})
