import { tokenInUrl } from '../sign-in/opened-link.tsx'

const storageKey = 'querypost invitation'

/** The token from the link. It is kept for the session, because the OIDC provider redirects back without it. */
export function readKeptToken(): { token: string; isReturning: boolean } {
  const token = tokenInUrl()
  if (token === '') return { token: sessionStorage.getItem(storageKey) ?? '', isReturning: true }
  sessionStorage.setItem(storageKey, token)
  return { token, isReturning: false }
}
