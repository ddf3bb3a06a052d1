/**
 * A *bucket* holds `burst` tokens and regains one every `regainMs`. Its only state is when it will be full again; a bucket without
 * state is full.
 */
export interface TokenBucket {
  burst: number
  regainMs: number
}

/**
 * Takes a token: `fullAtMs` is when the bucket is full again afterwards. If it has none, `waitMs` says when it will have one; a
 * rejected caller keeps the old `fullAtMs`, so that retrying does not lengthen the wait.
 */
export function takeToken(
  { burst, regainMs }: TokenBucket,
  fullAtMs: number | undefined,
  nowMs: number,
): { fullAtMs: number; waitMs: number } {
  const emptyMs = nowMs + burst * regainMs
  // No further ahead than for an empty bucket: a process whose clock was ahead must not lock anyone out for longer.
  const thenMs = Math.min(Math.max(fullAtMs ?? nowMs, nowMs), emptyMs) + regainMs
  return { fullAtMs: thenMs, waitMs: Math.max(0, thenMs - emptyMs) }
}

/** How many tokens are missing, including partly regained ones. */
export function missingTokens({ regainMs }: TokenBucket, fullAtMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((fullAtMs - nowMs) / regainMs))
}
