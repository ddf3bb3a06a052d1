import { checkText } from '../people/check-text.ts'

export function checkModelName(given: string, path = '/model'): string {
  return checkText({ path, text: given, maxCharacters: 200 })
}
