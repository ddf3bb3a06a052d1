import { createBrowserHistory, type RouterHistory } from '@tanstack/react-router'

let made: RouterHistory | undefined

/** The address bar, for the router and for whatever leads somewhere else. */
export function browserHistory(): RouterHistory {
  return (made ??= createBrowserHistory())
}
