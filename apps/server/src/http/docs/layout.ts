import type { Assets } from './assets.ts'
import { brandMark, iconAddress, menuLines } from './icons.ts'
import { escapeHtml } from './html.ts'
import type { Heading } from './markdown.ts'
import type { NavigationSection, PageSource } from './sources.ts'

/** The layout of every documentation page. It works without scripts and has no inline scripts. */
export interface Frame {
  title: string
  description: string
  sections: NavigationSection[]
  /** The current page; none for the search and for a missing page. */
  current?: PageSource | undefined
  outline?: Heading[]
  /** The search query. */
  query?: string
  /** HTML. */
  content: string
  /** HTML below the current page in the list of pages, for the API reference: the page is wide then, and has no outline. */
  entries?: string | undefined
  assets: Omit<Assets, 'byAddress'>
}

export function renderLayout(frame: Frame): string {
  const { title, description, current, outline = [], query = '', content, entries, assets } = frame
  const hasOutline = outline.length > 1 && entries === undefined
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Querypost documentation</title>
<meta name="description" content="${escapeHtml(description)}">
<link rel="icon" type="image/svg+xml" href="${iconAddress}">
<link rel="stylesheet" href="${assets.stylesheet}">
<script src="${assets.themeScript}"></script>
<script type="module" src="${assets.script}"></script>
<script type="module" src="${assets.searchScript}"></script>
${entries === undefined ? '' : referenceHead(assets)}${current ? `<link rel="alternate" type="text/markdown" href="${markdownAddress(current)}">\n` : ''}</head>
<body>
<a class="skip" href="#site-content">Skip to content</a>
<header class="top">
<button class="bar" type="button" popovertarget="site-pages" aria-label="Pages">${menuLines}</button>
<a class="brand" href="/docs">${brandMark} Querypost <span>docs</span></a>
<form class="search" role="search" action="/docs/search">
<input type="search" name="q" value="${escapeHtml(query)}" maxlength="200" placeholder="Search"
 aria-label="Search the documentation" autocomplete="off" spellcheck="false">
<kbd aria-hidden="true">/</kbd>
</form>
<a class="product" href="/">Open Querypost</a>
</header>
<div class="frame${entries === undefined ? '' : ' wide'}">
<nav class="pages" id="site-pages" popover aria-label="Pages">
${frame.sections.map((section) => sectionHtml(section, current, entries)).join('\n')}
</nav>
<main id="site-content" tabindex="-1">
${hasOutline ? '<button class="bar" type="button" popovertarget="site-outline">On this page</button>\n' : ''}${content}
${current ? neighbors(frame.sections, current) : ''}
</main>
${hasOutline ? outlineHtml(outline) : ''}
</div>
</body>
</html>`
}

/** As on GitHub: `/docs/api.md`, `/docs/README.md`. */
export const markdownAddress = ({ address, file }: PageSource) =>
  file.endsWith('README.md') ? `${address}/README.md` : `${address}.md`

const referenceHead = ({ referenceStylesheet, referenceScript }: Frame['assets']) =>
  `<link rel="stylesheet" href="${referenceStylesheet}">\n<script type="module" src="${referenceScript}"></script>\n`

function sectionHtml(
  { title, isFolded, pages }: NavigationSection,
  current: PageSource | undefined,
  entries = '',
): string {
  const items = pages.map((page) => {
    const here = page === current ? ' aria-current="page"' : ''
    const below = page === current ? entries : ''
    return `<li><a href="${page.address}"${here}>${escapeHtml(page.title)}</a>${below}</li>`
  })
  const open = !isFolded || (current && pages.includes(current)) ? ' open' : ''
  return `<details${open}><summary>${escapeHtml(title)}</summary><ul>${items.join('')}</ul></details>`
}

function outlineHtml(headings: Heading[]): string {
  const items = headings.map(({ level, id, text }) => {
    return `<li class="level-${level}"><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`
  })
  return `<nav class="outline" id="site-outline" popover aria-label="On this page">
<p>On this page</p>
<ul>${items.join('')}</ul>
</nav>`
}

function neighbors(sections: NavigationSection[], current: PageSource): string {
  const pages = sections.flatMap((section) => section.pages)
  const place = pages.indexOf(current)
  const links = [
    neighbor(pages[place - 1], { className: 'previous', rel: 'prev', label: 'Previous' }),
    neighbor(pages[place + 1], { className: 'next', rel: 'next', label: 'Next' }),
  ]
  return `<footer>
<nav class="neighbors" aria-label="Previous and next page">${links.join('')}</nav>
<p class="source"><a href="${markdownAddress(current)}">View as Markdown</a></p>
</footer>`
}

function neighbor(page: PageSource | undefined, link: { className: string; rel: string; label: string }): string {
  if (!page) return ''
  const { className, rel, label } = link
  const title = escapeHtml(page.title)
  return `<a class="${className}" rel="${rel}" href="${page.address}"><span>${label}</span>${title}</a>`
}
