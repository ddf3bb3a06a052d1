import { tokenInUrl } from '../sign-in/opened-link.tsx'

const storageKey = 'querypost invitation'

/** The token from the link. It is kept for the session, because the OIDC provider redirects back without it. */
export function keptToken(): string {
  const token = tokenInUrl()
  if (token === '') return sessionStorage.getItem(storageKey) ?? ''
  sessionStorage.setItem(storageKey, token)
  return token
}
