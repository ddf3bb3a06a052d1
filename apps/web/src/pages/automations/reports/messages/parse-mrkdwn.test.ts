import { describe, expect, test } from 'vitest'
import type { Inline } from '../../../../ui/markdown/parse-inline.ts'
import { parseMrkdwn } from './parse-mrkdwn.ts'

/** As HTML would write it, so that expectations are short. */
const shown = (text: string) => parseMrkdwn(text).map((part) => (part.kind === 'code' ? `<pre>${part.text}</pre>` : part.children.map(tagged).join('')))

function tagged(inline: Inline): string {
  if ('text' in inline) return inline.kind === 'text' ? inline.text : `<code>${inline.text}</code>`
  const inner = inline.children.map(tagged).join('')
  return inline.kind === 'link' ? `<a ${inline.address}>${inner}</a>` : `<${inline.kind}>${inner}</${inline.kind}>`
}

describe('Slack’s markup', () => {
  test.each([
    ['*Revenue* was _up_ by ~8~ `9`', '<strong>Revenue</strong> was <emphasis>up</emphasis> by <strikethrough>8</strikethrough> <code>9</code>'],
    ['*<https://x.test/q?a_b=1&amp;c*d|12 &lt;units&gt;>*', '<strong><a https://x.test/q?a_b=1&c*d>12 <units></a></strong>'],
    ['<https://x.test/a_b_c|a *b* c> and snake_case_name', '<a https://x.test/a_b_c>a *b* c</a> and snake_case_name'],
    ['2 * 3 * 4 and a*b*c', '2 * 3 * 4 and a*b*c'],
    ['*unclosed and _mixed*_', '<strong>unclosed and _mixed</strong>_'],
    ['<script> &amp;lt;', '<script> &lt;'],
  ])('shows %s', (text, expected) => {
    expect(shown(text)).toEqual([expected])
  })

  test('keeps columns in a block of their own, and empty lines between paragraphs', () => {
    expect(shown('*Title*\n```\na  &lt;b\n1  *2*\n```\nShowing 1 of 2')).toEqual(['<strong>Title</strong>', '<pre>a  <b\n1  *2*</pre>', 'Showing 1 of 2'])
    expect(shown('one\n\ntwo\n')).toEqual(['one', '', 'two'])
  })
})
