import type { RouterHistory } from '@tanstack/react-router'

let history: RouterHistory | undefined

/** The browser history that the router and `navigate` share. Undefined on pages without a router. */
export const sharedHistory = (): RouterHistory | undefined => history

export function shareHistory(shared: RouterHistory): RouterHistory {
  history = shared
  return shared
}
