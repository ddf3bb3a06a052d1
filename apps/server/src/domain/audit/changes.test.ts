import { expect, test } from 'vitest'
import { changesOf, auditValue, textMaxCharacters, redactUrl } from './changes.ts'

test('reports only the requested fields that differ', () => {
  const before = { name: 'Old', tags: ['a'], note: null, kept: 1, unseen: 'x' }
  expect(changesOf(before, { name: 'New', tags: ['a'], note: 'n', kept: undefined })).toEqual({
    name: { before: 'Old', after: 'New' },
    note: { before: null, after: 'n' },
  })
  expect(changesOf({}, { name: null })).toEqual({ name: { before: null, after: null } })
})

test('shortens long texts at any depth', () => {
  const long = 'word '.repeat(1000)
  const shown = auditValue({ inner: [long, 5, true, null, undefined, new Date(0)] }) as { inner: string[] }
  expect(shown.inner[0]!.length).toBeLessThanOrEqual(textMaxCharacters)
  expect(shown.inner.slice(1)).toEqual([5, true, null, null, '1970-01-01T00:00:00.000Z'])
})

test.each([
  ['https://user:secret@hooks.example:8443/in/a?token=secret#secret', 'https://hooks.example:8443/in/a?…'],
  ['https://hooks.example/', 'https://hooks.example/'],
  ['no url?token=secret', 'no url'],
])('shows of %s only what is not secret', (url, shown) => expect(redactUrl(url)).toBe(shown))
