import type { Env, Token } from 'markdown-it'
import { groupCode } from './group-code.ts'
import { highlight, labelOf } from './highlight.ts'
import { escapeHtml } from './html.ts'
import { readLink } from './docs-links.ts'
import { fenceInfo, markdown, plainText } from './markdown.ts'

/** What the HTML of a page depends on besides its text. */
export interface RenderContext {
  /** The page's file in the repository. */
  file: string
  /** The address of a repository file on the site, if it is published there. */
  addressOf(file: string): string | undefined
  /** Where the API reference describes `GET /api/me`. */
  addressOfRoute?(route: string): string | undefined
}

/**
 * Renders a page as HTML: links point to addresses of the site, code is highlighted, and wide tables scroll.
 */
export function renderTokens(tokens: Token[], context: RenderContext): string {
  return markdown.renderer.render(groupCode(tokens), markdown.options, { context })
}

const { rules } = markdown.renderer

// The anchor is next to the heading, not in it, so that it does not become part of the heading's accessible name.
rules['heading_open'] = (tokens, place, options, _env, self) => {
  const { tag } = tokens[place]!
  return `${tag === 'h1' ? '' : `<div class="heading ${tag}">`}${self.renderToken(tokens, place, options)}`
}
rules['heading_close'] = (tokens, place) => {
  const { tag } = tokens[place]!
  if (tag === 'h1') return '</h1>\n'
  const [open, title] = [tokens[place - 2]!, tokens[place - 1]!]
  const [id, label] = [String(open.attrGet('id')), `Link to: ${plainText(title)}`].map(escapeHtml)
  return `</${tag}><a class="anchor" href="#${id}" aria-label="${label}">#</a></div>\n`
}

// Focusable, so that it can be scrolled horizontally with the keyboard.
rules['table_open'] = () => '<div class="table" role="group" aria-label="Table" tabindex="0"><table>\n'
rules['table_close'] = () => '</table></div>\n'

rules['fence'] = (tokens, place) => {
  const { language, flags } = fenceInfo(tokens[place]!)
  const isAnswer = flags.includes('answer')
  return codeBlock(tokens[place]!.content, { language, label: isAnswer ? 'Response' : labelOf(language), isAnswer })
}
rules['code_block'] = (tokens, place) => codeBlock(tokens[place]!.content, { language: '', label: '', isAnswer: false })
rules['codes_open'] = () => '<div class="codes">\n'
rules['codes_close'] = () => '</div>\n'

/** `GET /api/me` */
rules['code_inline'] = (tokens, place, _options, env) => {
  const { content } = tokens[place]!
  const [, method, address] = /^([A-Z]+) (\/\S*)$/.exec(content) ?? []
  if (method === undefined) return `<code>${escapeHtml(content)}</code>`
  const code = `<code class="route"><span>${method}</span> ${escapeHtml(address!)}</code>`
  const reference = (env as { context: RenderContext }).context.addressOfRoute?.(content)
  if (reference === undefined || isInLink(tokens, place)) return code
  // A route that is a paragraph by itself is where a guide starts to describe it.
  const action = tokens.length === 1 ? ' <span class="action">Try it</span>' : ''
  return `<a class="route" href="${escapeHtml(reference)}">${code}${action}</a>`
}

function isInLink(tokens: Token[], place: number): boolean {
  const last = tokens.slice(0, place).findLast(({ type }) => type === 'link_open' || type === 'link_close')
  return last?.type === 'link_open'
}

rules['link_open'] = (tokens, place, options, env, self) => {
  const token = tokens[place]!
  const address = resolve(env, String(token.attrGet('href')))
  if (address !== undefined) token.attrSet('href', address)
  else {
    token.tag = closingOf(tokens, place).tag = 'span'
    token.attrs = [['title', `In the repository: ${token.attrGet('href')}`]]
  }
  return self.renderToken(tokens, place, options)
}

rules['image'] = (tokens, place, options, env, self) => {
  const token = tokens[place]!
  token.attrSet('src', resolve(env, String(token.attrGet('src'))) ?? '')
  token.attrSet('alt', token.content)
  token.attrSet('loading', 'lazy')
  return self.renderToken(tokens, place, options)
}

export function codeBlock(code: string, look: { language: string; label: string; isAnswer: boolean }): string {
  const { language, label, isAnswer } = look
  const caption = label === '' ? '' : `<figcaption>${escapeHtml(label)}</figcaption>`
  const html = `<pre tabindex="0"><code>${highlight(code, language)}</code></pre>`
  const className = isAnswer ? 'code answer' : 'code'
  return `<figure class="${className}" data-language="${escapeHtml(language)}">${caption}${html}</figure>\n`
}

function closingOf(tokens: Token[], place: number): Token {
  for (let depth = 0, at = place; ; at++) {
    if (tokens[at]!.type === 'link_open') depth++
    if (tokens[at]!.type === 'link_close' && --depth === 0) return tokens[at]!
  }
}

function resolve(env: Env | undefined, href: string): string | undefined {
  const { file, addressOf } = (env as { context: RenderContext }).context
  const target = readLink(file, href)
  if (target.kind === 'web') return target.href
  const address = target.file === file && target.anchor !== undefined ? '' : addressOf(target.file)
  return address === undefined ? undefined : `${address}${target.anchor === undefined ? '' : `#${target.anchor}`}`
}
