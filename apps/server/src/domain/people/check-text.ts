import { Refusal } from '../refusal.ts'

/** A name as people type it: trimmed, on one line, and without anything that the store would change or reject. */
export function checkText(options: { path: string; text: string; maxCharacters: number }): string {
  const text = options.text.trim()
  const count = Array.from(text).length
  if (count < 1 || count > options.maxCharacters) {
    throw badInput(options.path, `must have 1 to ${options.maxCharacters} characters; it has ${count}`)
  }
  if (!text.isWellFormed() || /\p{Cc}/u.test(text)) {
    throw badInput(options.path, 'must be one line of text without control characters')
  }
  return text
}

/** Rejects only what is certainly not an address; whether mail arrives is known only after sending. */
export function checkEmail(given: string): string {
  const email = checkText({ path: '/email', text: given, maxCharacters: 254 })
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw badInput('/email', 'must be an e-mail address such as jane@example.com')
  return email
}

export function badInput(path: string, message: string): Refusal {
  return new Refusal('invalid_request', `${path.slice(1)} ${message}.`, [{ path, message }])
}
