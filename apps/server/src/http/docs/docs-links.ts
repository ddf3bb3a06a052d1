import path from 'node:path'

/**
 * Where a link of a Markdown file leads: elsewhere on the web, or to a file of the repository and perhaps a section of
 * it.
 */
export type LinkTarget = { kind: 'web'; href: string } | { kind: 'file'; file: string; anchor: string | undefined }

/** `from` is a file by its path from the repository's root; so is the file of the answer. It need not exist. */
export function readLink(from: string, href: string): LinkTarget {
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(href)) return { kind: 'web', href }
  const [, place, anchor] = /^([^#]*)(?:#(.*))?$/s.exec(href)!
  const file = place === '' ? from : path.posix.join(path.posix.dirname(from), decodeLenient(place!)).replace(/\/$/, '')
  return { kind: 'file', file, anchor: anchor === undefined ? undefined : decodeLenient(anchor) }
}

function decodeLenient(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
