import { cutText } from '../../../ports/cut-text.ts'

const maxCharacters = 31

/** Makes names of sheets from titles: short enough, without characters that Excel refuses, and unique regardless of case. */
export function makeSheetNames(): (title: string) => string {
  // Excel reserves the name "History".
  const taken = new Set(['history'])
  return (title) => {
    const clean = title
      .replaceAll(/[[\]:*?/\\\p{Cc}]+/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/^['\s]+|['\s]+$/g, '')
    for (let number = 1; ; number++) {
      const suffix = number === 1 ? '' : ` (${number})`
      const name = `${cutText(clean === '' ? 'Sheet' : clean, maxCharacters - suffix.length).text.trimEnd()}${suffix}`
      if (taken.has(name.toLowerCase())) continue
      taken.add(name.toLowerCase())
      return name
    }
  }
}
