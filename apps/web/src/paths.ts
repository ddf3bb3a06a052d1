/** Every address that the pages link to. */
export const paths = {
  home: '/',
  account: '/account',
  permalink: (shortId: string) => `/q/${encodeURIComponent(shortId)}`,
  signIn: (returnTo?: string) =>
    returnTo === undefined || returnTo === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams({ returnTo })}`,
}

/** The shortId that a permalink's path names. */
export function shortIdIn(pathname: string): string | undefined {
  return /^\/q\/([^/]+)\/?$/.exec(pathname)?.[1]
}

/** Where a person wanted to go before signing in. Only an address of this site is believed. */
export function returnToIn(search: string, origin: string): string {
  const wanted = new URLSearchParams(search).get('returnTo')
  if (wanted === null || !URL.canParse(wanted, origin)) return paths.home
  const url = new URL(wanted, origin)
  return url.origin === origin ? `${url.pathname}${url.search}` : paths.home
}
