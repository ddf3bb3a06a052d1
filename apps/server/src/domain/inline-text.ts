import type { Token } from 'markdown-it'

/** What an inline token of Markdown says, without its marks. A picture says its description; HTML says nothing. */
export function inlineText(token: Token, options: { lineBreak: string }): string {
  if (token.type === 'softbreak' || token.type === 'hardbreak') return options.lineBreak
  if (token.type === 'html_inline') return ''
  if (!token.children) return token.content
  return token.children.map((child) => inlineText(child, options)).join('')
}
