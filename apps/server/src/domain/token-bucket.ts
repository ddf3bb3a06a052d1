/**
 * A *bucket* holds `burst` tokens and regains one every `regainMs`. All there is to remember of it is when it will be full again; a bucket
 * that nobody remembers is full.
 */
export interface TokenBucket {
  burst: number
  regainMs: number
}

/**
 * Takes a token: `fullAtMs` is when the bucket is full again afterwards. Where it has none, `waitMs` says when it will have one; a caller
 * that is refused keeps the old `fullAtMs`, so that trying again does not lengthen the wait.
 */
export function takeToken(
  { burst, regainMs }: TokenBucket,
  fullAtMs: number | undefined,
  nowMs: number,
): { fullAtMs: number; waitMs: number } {
  const emptyMs = nowMs + burst * regainMs
  // No further away than an empty bucket is: a process whose clock was ahead must not lock anybody out for longer.
  const thenMs = Math.min(Math.max(fullAtMs ?? nowMs, nowMs), emptyMs) + regainMs
  return { fullAtMs: thenMs, waitMs: Math.max(0, thenMs - emptyMs) }
}

/** How many tokens are missing, those included that are half regained. */
export function missingTokens({ regainMs }: TokenBucket, fullAtMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((fullAtMs - nowMs) / regainMs))
}
