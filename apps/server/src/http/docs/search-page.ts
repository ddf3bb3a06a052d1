import { excerptOf, markWords } from './excerpt.ts'
import { escapeHtml } from './html.ts'
import type { FoundSection } from './docs-search.ts'

/** The content of the search page. The pages' script shows the same list while the user types. */
export function searchPage(query: string, found: FoundSection[]): string {
  if (query.trim() === '') {
    return `<h1>Search</h1>
<p>Search above for a word, an error code, a setting, a route or a field.</p>
${starts}`
  }
  const count = found.length === 0 ? 'No results' : found.length === 1 ? '1 result' : `${found.length} results`
  const status = `<p role="status">${count} for <strong>${escapeHtml(query)}</strong>.</p>`
  const list = `<ol class="results">${found.map(resultHtml).join('\n')}</ol>`
  const rest = found.length > 0 ? '' : `<p>Try fewer words, or the beginning of a word. Or start here:</p>\n${starts}`
  return `<h1>Search</h1>\n<div id="site-results">${status}\n${found.length > 0 ? list : ''}</div>\n${rest}`
}

function resultHtml({ pageTitle, title, address, text, words }: FoundSection): string {
  const where = title === pageTitle ? '' : `<span class="where">${escapeHtml(pageTitle)}</span> `
  const link = `<a href="${escapeHtml(address)}">${where}${markWords(title, words)}</a>`
  return `<li>${link}<p>${excerptOf(text, words)}</p></li>`
}

const starts = `<ul>
<li><a href="/docs/api">API reference</a></li>
<li><a href="/docs/webhooks">Receive webhooks</a></li>
<li><a href="/docs/errors">Error codes</a></li>
<li><a href="/docs/configuration">Configuration</a></li>
</ul>`
