import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
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

describe('marks', () => {
  /** Renders the text with the given parts marked, as `<mark>` with their index. */
  const marked = (text: string, ...parts: string[]) => {
    const spans = parts.map((part) => ({ start: text.indexOf(part), end: text.indexOf(part) + part.length }))
    const render = (index: number, children: ReactNode) => createElement('mark', { id: index }, children)
    return renderToStaticMarkup(createElement(Markdown, { text, origin, marks: { spans, render } })).replaceAll(/ class="[^"]*"/g, '')
  }

  test('are rendered by the caller, in place of the link or strikethrough around them', () => {
    expect(marked(`Up [**12%**](${origin}/runs/run_1), ~~7~~ items.`, '**12%**', '7')).toBe(
      '<div><p>Up <mark id="0"><strong>12%</strong></mark>, <mark id="1">7</mark> items.</p></div>',
    )
    expect(marked('~~about 7 items~~', '7')).toBe('<div><p><del>about <mark id="0">7</mark> items</del></p></div>')
    expect(marked(`[see 7 here](${origin}/runs/run_1)`, '7')).not.toContain('<a')
  })

  test('work in headings, lists, tables and emphasis', () => {
    expect(marked('# 1 week\n- 2 *days*\n\n| a |\n|---|\n| **3** |', '1', '2', '3')).toBe(
      '<div><h3><mark id="0">1</mark> week</h3><ul><li><mark id="1">2</mark> <em>days</em></li></ul>' +
        '<div tabindex="0" role="group" aria-label="Table"><table><thead><tr><th scope="col">a</th></tr></thead>' +
        '<tbody><tr><td><strong><mark id="2">3</mark></strong></td></tr></tbody></table></div></div>',
    )
  })

  test('leave no trace in code, where a block ends within them, or outside of the text', () => {
    expect(marked('`select 1`\n\n```\nselect 2\n```', '1', '2')).toBe(
      '<div><p><code>select 1</code></p><pre>select 2</pre></div>',
    )
    expect(marked('one\n\ntwo', 'one\n\ntwo')).toBe('<div><p>one</p><p>two</p></div>')
    expect(marked('one', 'missing', 'one')).toBe('<div><p><mark id="1">one</mark></p></div>')
  })

  test('cannot be written in the text itself', () => {
    expect(marked('\uE000\uE1001\uE001 and 2', '2')).toBe('<div><p>\uFFFD\uFFFD1\uFFFD and <mark id="0">2</mark></p></div>')
    expect(html('\uE000\uE1001\uE001')).toBe('<div><p>\uFFFD\uFFFD1\uFFFD</p></div>')
  })
})
