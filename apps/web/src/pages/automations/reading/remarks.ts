/** What whoever wrote the words should know of how they were read. */
export interface Remarks {
  /** What the words left open, and what was taken for it. */
  assumptions: string[]
  /** What could not be read, and stays for the person to say. */
  notUnderstood: string[]
}
