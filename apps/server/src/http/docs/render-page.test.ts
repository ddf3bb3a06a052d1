import { expect, test } from 'vitest'
import { readMarkdown } from './markdown.ts'
import { renderTokens } from './render-page.ts'

const onSite: Record<string, string> = {
  'docs/api.md': '/docs/api',
  'docs/errors.md': '/docs/errors',
  'docs/images/chat.png': '/docs/images/chat.png',
  'packages/webhooks/README.md': '/docs/packages/webhooks',
}
const render = (text: string, file = 'docs/api/queries.md') =>
  renderTokens(readMarkdown(text).tokens, { file, addressOf: (target) => onSite[target] })

test('links between files become links between pages, with their anchors', () => {
  expect(render('[errors](../errors.md#forbidden)')).toContain('<a href="/docs/errors#forbidden">errors</a>')
  expect(render('[verify](../../packages/webhooks/README.md)')).toContain('<a href="/docs/packages/webhooks">verify</a>')
  expect(render('[below](#objects)')).toContain('<a href="#objects">below</a>')
  expect(render('[elsewhere](https://example.com/a?b=1&c=2)')).toContain('<a href="https://example.com/a?b=1&amp;c=2">')
  expect(render('![A chat](../images/chat.png)')).toContain('<img src="/docs/images/chat.png" alt="A chat" loading="lazy">')
})

test('links to files outside the site become text', () => {
  expect(render('[figures **here**](../../bench/results/api.md) and [errors](../errors.md)')).toBe(
    '<p><span title="In the repository: ../../bench/results/api.md">figures <strong>here</strong></span> and <a href="/docs/errors">errors</a></p>\n',
  )
})

test('escapes HTML in text', () => {
  const html = render('<script>alert(1)</script>\n\n[x](javascript:alert(1))\n\n```sh\necho "<b>"\n```\n\n```"><script>\n<i>\n```\n')
  expect(html).not.toMatch(/<script|<b>|<i>|href="javascript/)
})

test('hides HTML comments, except in code', () => {
  expect(render('a\n\n<!-- begin route me.get -->\n\nb\n<!-- end -->\n')).toBe('<p>a</p>\n<p>b</p>\n')
  expect(render('```html\n<!-- end -->\n```')).toContain('&lt;!-- end --&gt;')
})

test('headings have a labeled anchor', () => {
  expect(render('## `route_retired`')).toBe(
    '<div class="heading h2"><h2 id="route_retired"><code>route_retired</code></h2><a class="anchor" href="#route_retired" aria-label="Link to: route_retired">#</a></div>\n',
  )
})

test('highlights routes and makes tables scrollable', () => {
  expect(render('`GET /api/me`')).toContain('<code class="route"><span>GET</span> /api/me</code>')
  expect(render('The `GET` method')).toContain('<code>GET</code>')
  expect(render('| a |\n|---|\n| 1 |')).toMatch(/^<div class="table" role="group" aria-label="Table" tabindex="0"><table>.*<\/table><\/div>\n$/s)
})

const fence = (info: string, code = 'x') => `\`\`\`${info}\n${code}\n\`\`\`\n\n`

test('highlights code by language, and labels responses', () => {
  expect(render(fence('ts', 'const a = 1'))).toContain('<span class="hljs-keyword">const</span>')
  expect(render(fence('json answer', '{}'))).toMatch(/<figure class="code answer" data-language="json"><figcaption>Response</)
  expect(render(fence('text', 'a < b'))).toBe('<figure class="code" data-language="text"><pre tabindex="0"><code>a &lt; b\n</code></pre></figure>\n')
})

test('groups only examples in several languages', () => {
  const groups = (text: string) =>
    [...render(text).matchAll(/<div class="codes">(.*?)<\/div>/gs)].map(([, inner]) =>
      [...inner!.matchAll(/data-language="(\w+)"/g)].map(([, language]) => language),
    )
  expect(groups(fence('sh run') + fence('ts run') + fence('json answer'))).toEqual([['sh', 'ts']])
  expect(groups(fence('ts') + fence('python') + fence('go'))).toEqual([['ts', 'python', 'go']])
  expect(groups(fence('sh') + fence('ts'))).toEqual([])
  expect(groups(fence('ts') + fence('ts'))).toEqual([])
  expect(groups(fence('ts') + fence('ts') + fence('go'))).toEqual([['ts', 'go']])
  expect(groups(`${fence('sh run')}And then:\n\n${fence('ts run')}`)).toEqual([])
  expect(render(fence('sh run', 'one') + fence('ts run', 'two'))).toMatch(/one.*two/s)
})
