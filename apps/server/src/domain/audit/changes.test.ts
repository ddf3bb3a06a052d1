import { expect, test } from 'vitest'
import { changesOf, shown, textMaxCharacters, urlShown } from './changes.ts'

test('only what differs is told, and only of what was asked for', () => {
  const before = { name: 'Old', tags: ['a'], note: null, kept: 1, unseen: 'x' }
  expect(changesOf(before, { name: 'New', tags: ['a'], note: 'n', kept: undefined })).toEqual({
    name: { before: 'Old', after: 'New' },
    note: { before: null, after: 'n' },
  })
  expect(changesOf({}, { name: null })).toEqual({ name: { before: null, after: null } })
})

test('long texts are shortened, however deep they stand', () => {
  const long = 'word '.repeat(1000)
  const told = shown({ inner: [long, 5, true, null, undefined, new Date(0)] }) as { inner: string[] }
  expect(told.inner[0]!.length).toBeLessThanOrEqual(textMaxCharacters)
  expect(told.inner.slice(1)).toEqual([5, true, null, null, '1970-01-01T00:00:00.000Z'])
})

test.each([
  ['https://user:secret@hooks.example:8443/in/a?token=secret#secret', 'https://hooks.example:8443/in/a?…'],
  ['https://hooks.example/', 'https://hooks.example/'],
  ['no url?token=secret', 'no url'],
])('of %s only what is no secret', (url, told) => expect(urlShown(url)).toBe(told))
