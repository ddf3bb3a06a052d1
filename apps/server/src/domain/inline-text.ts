import type { Token } from 'markdown-it'

/** The text of an inline Markdown token, without markup. An image gives its description; HTML gives nothing. */
export function inlineText(token: Token, options: { lineBreak: string }): string {
  if (token.type === 'softbreak' || token.type === 'hardbreak') return options.lineBreak
  if (token.type === 'html_inline') return ''
  if (!token.children) return token.content
  return token.children.map((child) => inlineText(child, options)).join('')
}
