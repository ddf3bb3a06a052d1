/**
 * Finds phrases that read as if translated (`prose.json` has them, with what to say instead).
 *
 * The whole text of a file is searched, code included: no phrase on the list is valid code, and much of what people read is neither a
 * comment nor a string literal, such as text between JSX tags.
 */

/** A phrase may continue on the next line, after the marker of a comment, list or quotation. */
const gap = String.raw`(?:[^\S\n]+|[^\S\n]*\n[^\S\n]*(?:(?:\*|//|#|--|>|-)[^\S\n]+)?)`

/** Lookarounds instead of `\b`, which would also need a word character at the end of a phrase. */
const wordStart = '(?<![\\w-])'
const wordEnd = '(?!\\w)'

const withGaps = (phrase) => phrase.replaceAll(' ', gap)

export function compilePhrases(phrases) {
  const rules = phrases.map(({ phrase, say }) => ({ say, pattern: new RegExp(`${wordStart}(?:${withGaps(phrase)})${wordEnd}`, 'iy') }))
  const any = new RegExp(`${wordStart}(?:${phrases.map(({ phrase }) => withGaps(phrase)).join('|')})${wordEnd}`, 'gi')
  return { rules, any }
}

/** Returns `{ line, phrase, say }` for every phrase in the text, in order. */
export function findPhrases(text, { rules, any }) {
  const findings = []
  let line = 1
  let countedTo = 0
  for (const { index, 0: found } of text.matchAll(any)) {
    line += text.slice(countedTo, index).split('\n').length - 1
    countedTo = index
    const { say } = rules.find(({ pattern }) => {
      pattern.lastIndex = index
      return pattern.test(text)
    })
    findings.push({ line, phrase: found.replaceAll(/\s+(?:(?:\*|\/\/|#|--|>|-)\s+)?/g, ' ').trim(), say })
  }
  return findings
}

const extensions = /\.(md|tsx?|[cm]?js|json|html|css|ya?ml|sh|go|java|php|py|ru)$/

/** Whether a file, given by its path from the root of the repository, is text that we write. */
export function isProse(file, ignoredPaths) {
  return extensions.test(file) && !ignoredPaths.includes(file)
}
