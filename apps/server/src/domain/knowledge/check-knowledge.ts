import { badInput } from '../people/check-text.ts'

/** Text of several lines, without space around it. It may be empty. */
export function checkLongText(options: { path: string; text: string; maxCharacters: number }): string {
  const text = options.text.trim()
  if (text.length <= options.maxCharacters) return text
  const [limit, count] = [options.maxCharacters, text.length].map((each) => each.toLocaleString('en-US'))
  throw badInput(options.path, `must have at most ${limit} characters; it has ${count}`)
}
