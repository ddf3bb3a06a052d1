import { tokenInAddress } from '../sign-in/opened-link.tsx'

const place = 'querypost invitation'

/** The token of the link; it is still known when the way back from the OIDC provider leads here without it. */
export function keptToken(): string {
  const token = tokenInAddress()
  if (token === '') return sessionStorage.getItem(place) ?? ''
  sessionStorage.setItem(place, token)
  return token
}
