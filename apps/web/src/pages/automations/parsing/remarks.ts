/** Notes for the author on how the sentence was parsed. */
export interface Remarks {
  /** Defaults used where the sentence left something open. */
  assumptions: string[]
  /** Parts that could not be parsed, and that the author must fill in. */
  notUnderstood: string[]
  /** Requests that automations can't carry out, and what to do instead. */
  notPossible: string[]
}
