import { EngineError } from './engine.ts'

/** A user name that can be sent in a header, and in which nothing ends the name. */
export function sessionUser(user: string): string {
  if (/^[!-9;-~]+$/.test(user)) return user
  throw new EngineError('refused', 'The value of the attribute is no name of a user: it has a space, a colon or a letter that is not ASCII.')
}
