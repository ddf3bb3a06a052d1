/**
 * A message as its author sees it: without the mention of the bot, and with names in place of Slack's markup (`<@U1>`, `<#C1|sales>`,
 * `<https://…|text>`). Slack escapes `&`, `<` and `>`.
 */
export function questionText(text: string, { botUserId }: { botUserId: string }): string {
  const shown = text.replaceAll(/<([^<>]*)>/g, (_, inner: string) => {
    const [target, label] = split(inner)
    if (target === `@${botUserId}`) return ' '
    if (label !== undefined) return target.startsWith('#') ? `#${label}` : target.startsWith('@') ? `@${label}` : label
    return target.startsWith('!') ? `@${target.slice(1)}` : target
  })
  return unescaped(shown)
    // The store cannot keep these.
    .replaceAll('\0', '')
    .toWellFormed()
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .trim()
}

function split(inner: string): [string, string | undefined] {
  const at = inner.indexOf('|')
  return at === -1 ? [inner, undefined] : [inner.slice(0, at), inner.slice(at + 1)]
}

const unescaped = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
