/**
 * Nothing inline, nothing from elsewhere, and no other site may frame a page. The nonce is for the styles that libraries of the
 * pages add while they run; scripts never come that way.
 */
export const pagePolicy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
