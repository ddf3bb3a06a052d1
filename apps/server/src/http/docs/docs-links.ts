import path from 'node:path'

/**
 * The target of a link in a Markdown file: a web address, or a file of the repository with an optional section.
 */
export type LinkTarget = { kind: 'web'; href: string } | { kind: 'file'; file: string; anchor: string | undefined }

/** `from` and the returned file are paths from the repository's root. The file may not exist. */
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
