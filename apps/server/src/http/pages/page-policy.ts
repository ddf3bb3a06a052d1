/**
 * No inline scripts, nothing from other sites, and no framing by other sites. The nonce is for styles that libraries of the web app add
 * at run time, never for scripts.
 */
export const pagePolicy = (nonce: string) => policy({ nonce, formAction: "'self'", frames: "'self'", frameAncestors: "'none'" })

/** For pages that viewers see: they send no forms, and only the given origins may frame them. */
export const viewerPagePolicy = (nonce: string, frameAncestors: readonly string[] = []) =>
  policy({ nonce, formAction: "'none'", frames: "'none'", frameAncestors: frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ') })

const policy = (options: { nonce: string; formAction: string; frames: string; frameAncestors: string }) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${options.nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "worker-src 'self'",
    `frame-src ${options.frames}`,
    `form-action ${options.formAction}`,
    "base-uri 'none'",
    `frame-ancestors ${options.frameAncestors}`,
  ].join('; ')
