import { createBrowserHistory, type RouterHistory } from '@tanstack/react-router'

let history: RouterHistory | undefined

/** The browser history, shared by the router and `navigate`. */
export function browserHistory(): RouterHistory {
  return (history ??= createBrowserHistory())
}
