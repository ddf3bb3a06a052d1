import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Markdown } from './markdown.tsx'

const origin = 'https://querypost.test'
/** The HTML without classes, because these tests are not about styling. */
const html = (text: string) => renderToStaticMarkup(createElement(Markdown, { text, origin })).replaceAll(/ class="[^"]*"/g, '')

test('links figures to their runs', () => {
  expect(html(`Revenue was [**1,234**](${origin}/runs/run_1).`)).toBe(
    '<div><p>Revenue was <a href="/runs/run_1"><strong>1,234</strong></a>.</p></div>',
  )
  expect(html('[an error](/docs/errors#forbidden)')).toContain('<a href="/docs/errors#forbidden">an error</a>')
})

test.each([
  'https://elsewhere.test/collect?rows=1',
  '//elsewhere.test',
  'http://querypost.test/runs/run_1',
  'https://querypost.test.elsewhere.test/',
  'https://querypost.test@elsewhere.test/',
  'javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'data:text/html,x',
  'https://',
])('shows an external URL as text, not as a link: %s', (address) => {
  const page = html(`[your report](${address})`)
  expect(page).not.toContain('<a')
  expect(page).toContain('your report')
})

test('loads no images and renders no HTML', () => {
  const page = html('![x](https://elsewhere.test/pixel.png) <img src=x onerror=alert(1)> `<script>`')
  expect(page).not.toMatch(/<(img|script)/)
  expect(page).toContain('&lt;img src=x')
  expect(page).toContain('(https://elsewhere.test/pixel.png)')
})

test('renders headings, lists, code and tables', () => {
  const page = html('## Week\n1. one\n   - a\n\n```\nx < 1\n```\n| a |\n|---|\n| 1 |')
  expect(page).toContain('<h3>Week</h3><ol><li>one<ul><li>a</li></ul></li></ol><pre>x &lt; 1</pre>')
  expect(page).toContain('<th scope="col">a</th>')
  expect(page).toContain('<td>1</td>')
})
