import { expect, test } from 'vitest'
import { excerptOf, markWords } from './excerpt.ts'
import { makeSearch, sectionsOf } from './docs-search.ts'
import { searchPage } from './search-page.ts'

const page = (address: string, text: string) => ({ address, title: /^# (.+)/.exec(text)![1]!, text })
const pages = [
  page('/docs/errors', '# Errors\n\nEvery error has the same body.\n\n## cursor_expired\n\nThe cursor is older than 24 hours.\n'),
  page('/docs/pagination', '# Pages\n\nLists have pages.\n\n## Cursors\n\nSend `nextCursor` back.\n\n```sh\ncurl "$URL?cursor=x"\n```\n'),
  page('/docs/operating', '# Operating\n\n## Secrets\n\n| Name | Meaning |\n|---|---|\n| `SECRET_KEY` | signs cursors |\n'),
]
const find = await makeSearch(pages)
const addresses = (text: string) => find(text).map(({ address }) => address)

test('a section is a heading with the text, code and tables below it', () => {
  expect(sectionsOf(pages[1]!)).toEqual([
    { pageTitle: 'Pages', title: 'Pages', address: '/docs/pagination', text: 'Lists have pages.' },
    { pageTitle: 'Pages', title: 'Cursors', address: '/docs/pagination#cursors', text: 'Send nextCursor back. curl "$URL?cursor=x"' },
  ])
})

test('titles weigh more than text, and whole words more than prefixes', () => {
  expect(addresses('cursor')[0]).toBe('/docs/errors#cursor_expired')
  expect(addresses('cursors')[0]).toBe('/docs/pagination#cursors')
  expect(addresses('pages')[0]).toBe('/docs/pagination')
})

test('folded sections rank lower', async () => {
  const why = page('/docs/decisions/cursors', '# Cursors\n\nCursors are signed.\n')
  const first = async (isFolded: boolean) => (await makeSearch([{ ...why, isFolded }, ...pages]))('cursors')[0]!.address
  expect([await first(false), await first(true)]).toEqual(['/docs/decisions/cursors', '/docs/pagination#cursors'])
})

test('finds names of settings and codes by whole, partial and misspelled words', () => {
  for (const text of ['SECRET_KEY', 'secret key', 'secr', 'SECERT_KEY']) expect(addresses(text)[0], text).toBe('/docs/operating#secrets')
  expect(addresses('cursor_expired')[0]).toBe('/docs/errors#cursor_expired')
})

test('requires all words if any section has them all', () => {
  expect(addresses('cursor hours')).toEqual(['/docs/errors#cursor_expired'])
  expect(addresses('hours zebra')).toEqual(['/docs/errors#cursor_expired'])
})

test.each(['', '   ', '?!', 'zebra'])('finds nothing for %j', (text) => {
  expect(addresses(text)).toEqual([])
})

test('a very long query costs no more than a long one', () => {
  expect(addresses(`${'zebra '.repeat(20)}cursor`)).toEqual([])
})

test('an excerpt surrounds the matches, marks them and is escaped', () => {
  const text = `${'before '.repeat(40)}the cursor <b> is ${'after '.repeat(60)}`
  const excerpt = excerptOf(text, ['cursor'])
  expect(excerpt).toMatch(/^… before .*<mark>cursor<\/mark> &lt;b&gt; is .* …$/)
  expect(excerpt.length).toBeLessThan(300)
  expect(excerptOf('Short.', ['zebra'])).toBe('Short.')
  expect(markWords('SECRET_KEY, keys', ['key', 'secret'])).toBe('<mark>SECRET</mark>_<mark>KEY</mark>, keys')
  expect(markWords('a (b', ['(b'])).toContain('a ')
})

test('the page shows the number of results, help if there are none, and the escaped query', () => {
  expect(searchPage('cursor_expired', find('cursor_expired'))).toContain('1 result for <strong>cursor_expired</strong>')
  const nothing = searchPage('<script>', [])
  expect(nothing).toContain('No results for <strong>&lt;script&gt;</strong>')
  expect(nothing).toContain('Try fewer words')
  expect(searchPage(' ', [])).toContain('Search above for a word')
})
