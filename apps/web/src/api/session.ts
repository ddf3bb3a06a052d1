import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Session } from './generated/schemas.ts'
import { addressOf, type Body } from './operations.ts'
import { hasCode, request, showOrganization } from './request.ts'

export type { Role, Session } from './generated/schemas.ts'

export async function signIn(credentials: Body<'POST /session'>): Promise<void> {
  await request('POST /session', { body: credentials })
  isShown = false
}

/** The organization that a document begins with is the one it shows, until somebody signs in anew. */
let isShown = false

function show(session: Session): Session {
  if (!isShown) showOrganization(session.organization.id)
  isShown = true
  return session
}

export const signOut = () => request('DELETE /session')

/** Who is signed in; null: nobody. */
export const sessionOptions = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    try {
      return show(await request('GET /session', { signal }))
    } catch (error) {
      if (hasCode(error, 'unauthenticated')) return null
      throw error
    }
  },
  staleTime: 60_000,
})

/** Whom this document was last shown to. */
let last: Session | undefined

/**
 * On the pages that only somebody who is signed in sees. When the session ends, what is on the screen stays as it is until
 * the router has led to sign-in.
 */
export function useSession(): Session {
  const { data } = useQuery(sessionOptions)
  last = data ?? last
  if (!last) throw new Error('This page was shown to nobody.')
  return last
}

export const useIsAdmin = () => useSession().role === 'admin'

export const signInOptionsOptions = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: ({ signal }) => request('GET /sign-in-options', { signal }),
  staleTime: Infinity,
})

/** The browser itself goes there and comes back signed in. */
export const oidcStartUrl = (returnTo: string) => addressOf('GET /oidc/start', { query: { returnTo } })
